//! What several rules need to know of a heap, found out once.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

/// One value of each type, kept as long as the heap is.
#[derive(Default)]
pub struct Shared(Mutex<FxHashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl Shared {
    /// The value of a type, which is found by whoever asks first.
    ///
    /// No lock is held meanwhile, as the search may use all threads: when two ask at the same time both may search, and
    /// both get the value that was found first.
    pub fn get<T: Send + Sync + 'static>(&self, find: impl FnOnce() -> T) -> Arc<T> {
        if let Some(known) = self.with(|values| values.get(&TypeId::of::<T>()).cloned()) {
            return known.downcast().unwrap_or_else(|_| Arc::new(find()));
        }
        let found: Arc<T> = Arc::new(find());
        let kept = self.with(|values| {
            let value = values.entry(TypeId::of::<T>());
            value.or_insert_with(|| found.clone()).clone()
        });
        kept.downcast().unwrap_or(found)
    }

    /// The value of a type, for the last who asks: it is no longer kept, and found anew where others still have it.
    pub fn take<T: Send + Sync + 'static>(&self, find: impl FnOnce() -> T) -> T {
        let known = self.with(|values| values.remove(&TypeId::of::<T>()));
        let known = known.and_then(|known| known.downcast().ok());
        known.and_then(Arc::into_inner).unwrap_or_else(find)
    }

    fn with<R>(&self, use_of: impl FnOnce(&mut FxHashMap<TypeId, Arc<dyn Any + Send + Sync>>) -> R) -> R {
        use_of(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self.with(|values| values.len());
        write!(f, "Shared({values} values)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_is_looked_for_once() {
        let shared = Shared::default();
        assert_eq!(*shared.get(|| 1_u32), 1);
        assert_eq!(*shared.get(|| 2_u64), 2);
        assert_eq!(*shared.get::<u32>(|| unreachable!("it is known")), 1);
        assert_eq!(shared.take::<u32>(|| unreachable!("it is known")), 1);
        assert_eq!(shared.take(|| 3_u32), 3);
        let kept = shared.get(|| 4_u32);
        assert_eq!((shared.take(|| 5_u32), *kept), (5, 4));
    }
}
