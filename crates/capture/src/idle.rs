//! What signals do to this process while no program is running: what they would do without this library.

use std::{
    io,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use signal_hook::flag::register_conditional_default;

struct State {
    /// Read by the signal handlers.
    idle: Arc<AtomicBool>,
    running: Mutex<usize>,
}

static STATE: OnceLock<State> = OnceLock::new();

/// While one of these lives, the signals do not have their default action.
pub(crate) struct Busy(&'static State);

impl Busy {
    pub(crate) fn start(signals: &[i32]) -> io::Result<Self> {
        let state = STATE.get_or_init(|| State {
            idle: Arc::new(AtomicBool::new(false)),
            running: Mutex::new(usize::MAX),
        });
        let mut running = state.running.lock().unwrap_or_else(PoisonError::into_inner);
        if *running == usize::MAX {
            for &signal in signals {
                register_conditional_default(signal, Arc::clone(&state.idle))?;
            }
            *running = 0;
        }
        *running += 1;
        state.idle.store(false, Ordering::SeqCst);
        Ok(Self(state))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let mut running = self.0.running.lock().unwrap_or_else(PoisonError::into_inner);
        *running -= 1;
        self.0.idle.store(*running == 0, Ordering::SeqCst);
    }
}
