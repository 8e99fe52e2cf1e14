//! From input to commits: one thread finds the input, others read it, and batches of what they read are committed.

use std::io::{self, BufReader};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

use tokio::sync::mpsc as queue;

use super::folder::{self, ByPath, walk};
use super::item::{Bad, Given, Item, Why};
use super::lines::{self, Line};
use crate::dataset::Writer;
use crate::error::{Error, Result};
use crate::taken::{Taken, Texts};

/// Weighings of one commit.
pub const BATCH: usize = 4096;

/// Pieces of input that are handed on together.
const CHUNK: usize = 32;

/// Where weighings come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// All `*.json` files below a folder, or one file.
    Folder(PathBuf),
    /// Lines of JSON from standard input.
    StandardInput,
}

/// What became of the input.
#[derive(Debug, Default)]
pub struct Report {
    /// Weighings that were not there before.
    pub new: u64,
    /// Weighings that were there already.
    pub known: u64,
    /// What was not taken.
    pub bad: Vec<Bad>,
}

/// Input that is found but not read yet.
enum Found {
    File(PathBuf, Given),
    Content(Item),
    Bad(Bad),
}

/// Takes in all weighings of some sources, `size` in a commit.
///
/// # Errors
/// When the dataset cannot be written. What was committed before stays; to take the same in again doubles nothing.
pub async fn ingest(
    writer: &mut Writer,
    sources: Vec<Source>,
    size: u32,
    by_path: ByPath,
    given: Given,
    texts: Texts,
    taken_in: &mut (dyn FnMut(&Report) + Send),
) -> Result<Report> {
    let readers = thread::available_parallelism().map_or(2, usize::from);
    let (find, found) = mpsc::sync_channel::<Vec<Found>>(readers * 2);
    let (read, mut ready) = queue::channel::<Vec<std::result::Result<Taken, Bad>>>(readers * 2);
    let mut threads = vec![thread::spawn(move || search(&sources, &by_path, &given, &find))];
    let found = Arc::new(Mutex::new(found));
    for _ in 0..readers {
        let (found, read, texts) = (Arc::clone(&found), read.clone(), texts.clone());
        threads.push(thread::spawn(move || read_all(&found, &read, &texts)));
    }
    drop((found, read));
    let mut report = Report::default();
    let size = size as usize;
    let mut batch = Vec::with_capacity(size);
    while let Some(chunk) = ready.recv().await {
        for one in chunk {
            match one {
                Ok(taken) => batch.push(taken),
                Err(bad) => report.bad.push(bad),
            }
            if batch.len() >= size {
                commit(writer, &mut batch, &mut report).await?;
                taken_in(&report);
            }
        }
    }
    if !batch.is_empty() {
        commit(writer, &mut batch, &mut report).await?;
        taken_in(&report);
    }
    for thread in threads {
        thread
            .join()
            .map_err(|_| Error::Ended("a reader panicked".to_owned()))?;
    }
    Ok(report)
}

async fn commit(writer: &mut Writer, batch: &mut Vec<Taken>, report: &mut Report) -> Result<()> {
    let appended = writer.append(std::mem::take(batch)).await?;
    for is_new in appended.new {
        *(if is_new {
            &mut report.new
        } else {
            &mut report.known
        }) += 1;
    }
    Ok(())
}

/// Hands on input in chunks. It ends when nobody takes any more, which is after an error.
fn search(sources: &[Source], by_path: &ByPath, given: &Given, find: &mpsc::SyncSender<Vec<Found>>) {
    let mut chunk = Vec::with_capacity(CHUNK);
    let mut hand_on = |found| {
        chunk.push(found);
        chunk.len() < CHUNK
            || find
                .send(std::mem::replace(&mut chunk, Vec::with_capacity(CHUNK)))
                .is_ok()
    };
    for source in sources {
        match source {
            Source::Folder(root) => walk(root, by_path, given, &mut |found| {
                hand_on(match found {
                    Ok((path, given)) => Found::File(path, given),
                    Err(bad) => Found::Bad(bad),
                })
            }),
            Source::StandardInput => read_lines(given, &mut hand_on),
        }
    }
    if !chunk.is_empty() {
        // Nobody takes it after an error alone.
        let _ = find.send(chunk);
    }
}

fn read_lines(given: &Given, hand_on: &mut dyn FnMut(Found) -> bool) {
    let mut from = BufReader::with_capacity(1 << 20, io::stdin().lock());
    let mut number = 0;
    loop {
        let line = lines::next(&mut from, &mut number);
        let name = format!("line {number}");
        let bad = |why: String| {
            Found::Bad(Bad {
                name: name.clone(),
                why: Why::Unread(why),
            })
        };
        let goes_on = match line {
            Ok(None) => return,
            Ok(Some(Line::Content(content))) => hand_on(Found::Content(Item {
                given: given.clone(),
                content,
                name,
            })),
            Ok(Some(Line::TooLong)) => hand_on(bad("longer than 64 MiB".to_owned())),
            Err(error) => {
                hand_on(bad(error.to_string()));
                return;
            }
        };
        if !goes_on {
            return;
        }
    }
}

fn read_all(
    found: &Mutex<mpsc::Receiver<Vec<Found>>>,
    read: &queue::Sender<Vec<std::result::Result<Taken, Bad>>>,
    texts: &Texts,
) {
    loop {
        let Ok(receiver) = found.lock() else { return };
        let Ok(chunk) = receiver.recv() else { return };
        drop(receiver);
        let results = chunk.into_iter().map(|found| take(found, texts)).collect();
        if read.blocking_send(results).is_err() {
            return;
        }
    }
}

fn take(found: Found, texts: &Texts) -> std::result::Result<Taken, Bad> {
    let item = match found {
        Found::Bad(bad) => return Err(bad),
        Found::File(path, given) => folder::item(&path, given)?,
        Found::Content(item) => item,
    };
    item.taken(texts).map_err(|why| Bad { name: item.name, why })
}
