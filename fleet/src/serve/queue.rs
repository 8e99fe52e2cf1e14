//! Group commit: while one batch is written, those that come in wait together for the next. Each is answered once it is
//! durable.

use tokio::sync::{mpsc, oneshot};

use crate::dataset::Writer;
use crate::error::{Error, Result};
use crate::ingest::BATCH;
use crate::taken::Taken;

struct Waiting {
    taken: Taken,
    answer: oneshot::Sender<std::result::Result<bool, String>>,
}

/// Where weighings wait to be committed.
pub(super) struct Queue {
    waiting: mpsc::Sender<Waiting>,
}

impl Queue {
    /// Starts to commit.
    pub(super) fn start(writer: Writer) -> Self {
        let (waiting, received) = mpsc::channel(BATCH);
        tokio::spawn(commit_all(writer, received));
        Self { waiting }
    }

    /// Returns once the weighing is durable; whether it is new.
    ///
    /// # Errors
    /// When it could not be written.
    pub(super) async fn append(&self, taken: Taken) -> Result<bool> {
        let gone = || Error::Ended("nobody commits any more".to_owned());
        let (answer, answered) = oneshot::channel();
        self.waiting
            .send(Waiting { taken, answer })
            .await
            .map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?.map_err(Error::Ended)
    }
}

async fn commit_all(mut writer: Writer, mut received: mpsc::Receiver<Waiting>) {
    let mut batch = Vec::new();
    while received.recv_many(&mut batch, BATCH).await > 0 {
        let (taken, answers): (Vec<_>, Vec<_>) = batch.drain(..).map(|one| (one.taken, one.answer)).unzip();
        // Who has asked may have gone away; what it posted is kept all the same.
        match writer.append(taken).await {
            Ok(appended) => {
                for (answer, is_new) in answers.into_iter().zip(appended.new) {
                    let _ = answer.send(Ok(is_new));
                }
            }
            Err(error) => {
                for answer in answers {
                    let _ = answer.send(Err(error.to_string()));
                }
            }
        }
    }
}
