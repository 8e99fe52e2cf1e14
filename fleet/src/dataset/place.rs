//! Where a dataset is, and how a file comes there: whole and durable, or not at all.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use futures::TryStreamExt as _;
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path as ObjectPath;
use object_store::{ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, PutPayload};
use url::Url;

use crate::error::{Error, Result, at};

/// Files on their way, in the same file system as what they become.
const UNFINISHED: &str = "unfinished";

/// A folder, or a folder of an object store.
#[derive(Clone, Debug)]
pub struct Place {
    root: Root,
    store: Arc<dyn ObjectStore>,
    /// Where the store begins, as the engine knows it.
    base: Url,
    prefix: ObjectPath,
}

#[derive(Clone, Debug)]
enum Root {
    Local(PathBuf),
    Remote,
}

/// A file that is there.
#[derive(Clone, Debug)]
pub struct Listed {
    /// From the root of the dataset.
    pub path: String,
    /// Seconds since it was written.
    pub age: u64,
}

impl Place {
    /// The same as [`Place::open`], for who writes: a folder that is not there is made.
    ///
    /// # Errors
    /// When the folder cannot be made, or the store lacks something.
    pub fn make(name: &str) -> Result<Self> {
        if !name.contains("://") {
            fs::create_dir_all(name).map_err(at(name))?;
        }
        Self::open(name)
    }

    /// The place of that name: a folder, or `s3://BUCKET/FOLDER`, whose keys and endpoint come from the usual variables
    /// (`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT` …).
    ///
    /// # Errors
    /// When the folder is not there, or the store lacks something.
    pub fn open(name: &str) -> Result<Self> {
        if let Some(rest) = name.strip_prefix("s3://") {
            let (bucket, folder) = rest.split_once('/').unwrap_or((rest, ""));
            if bucket.is_empty() {
                return Err(Error::NoPlace(name.to_owned()));
            }
            let store = AmazonS3Builder::from_env().with_bucket_name(bucket).build()?;
            let base = Url::parse(&format!("s3://{bucket}")).map_err(|_| Error::NoPlace(name.to_owned()))?;
            return Ok(Self::remote(Arc::new(store), base, folder));
        }
        if name.contains("://") {
            return Err(Error::NoPlace(name.to_owned()));
        }
        let root = fs::canonicalize(name).map_err(at(name))?;
        let prefix = ObjectPath::from_filesystem_path(&root).map_err(object_store::Error::from)?;
        Ok(Self {
            root: Root::Local(root),
            store: Arc::new(LocalFileSystem::new()),
            base: Url::parse("file:///").map_err(|_| Error::NoPlace(name.to_owned()))?,
            prefix,
        })
    }

    /// A folder of a store that is opened already.
    #[must_use]
    pub fn remote(store: Arc<dyn ObjectStore>, base: Url, folder: &str) -> Self {
        Self {
            root: Root::Remote,
            store,
            base,
            prefix: ObjectPath::from(folder),
        }
    }

    /// The store, and the address under which an engine has to know it.
    #[must_use]
    pub fn store(&self) -> (&Url, &Arc<dyn ObjectStore>) {
        (&self.base, &self.store)
    }

    /// The folder, unless it is one of an object store.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        match &self.root {
            Root::Local(root) => Some(root),
            Root::Remote => None,
        }
    }

    /// The name of the place, for people.
    #[must_use]
    pub fn shown(&self) -> String {
        match &self.root {
            Root::Local(root) => root.display().to_string(),
            Root::Remote => self.address(""),
        }
    }

    /// The address of a file, for an engine.
    #[must_use]
    pub fn address(&self, path: &str) -> String {
        let base = self.base.as_str().trim_end_matches('/');
        format!("{base}/{}", self.key(path))
    }

    fn key(&self, path: &str) -> ObjectPath {
        let parts = path.split('/').filter(|part| !part.is_empty());
        parts.fold(self.prefix.clone(), ObjectPath::join)
    }

    /// Puts a file there if none has the name. Returns whether it did. Once this returns, the file outlives a crash of
    /// the machine; a crash before leaves the whole file or none.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn put_new(&self, path: &str, content: Vec<u8>) -> Result<bool> {
        match &self.root {
            Root::Local(root) => {
                let (root, path) = (root.clone(), path.to_owned());
                apart(move || put_local(&root, &path, &content)).await
            }
            Root::Remote => {
                let options = PutOptions::from(PutMode::Create);
                let payload = PutPayload::from(content);
                match self.store.put_opts(&self.key(path), payload, options).await {
                    Ok(_) => Ok(true),
                    Err(
                        object_store::Error::AlreadyExists { .. } | object_store::Error::Precondition { .. },
                    ) => Ok(false),
                    Err(error) => Err(error.into()),
                }
            }
        }
    }

    /// The whole of a file; `None` when there is none.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn get(&self, path: &str) -> Result<Option<Vec<u8>>> {
        match &self.root {
            Root::Local(root) => {
                let file = root.join(path);
                match fs::read(&file) {
                    Ok(content) => Ok(Some(content)),
                    Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
                    Err(error) => Err(at(file.display().to_string())(error)),
                }
            }
            Root::Remote => match self.store.get(&self.key(path)).await {
                Ok(found) => Ok(Some(found.bytes().await?.to_vec())),
                Err(object_store::Error::NotFound { .. }) => Ok(None),
                Err(error) => Err(error.into()),
            },
        }
    }

    /// Whether a file is there.
    ///
    /// # Errors
    /// When that cannot be found out.
    pub async fn has(&self, path: &str) -> Result<bool> {
        match &self.root {
            Root::Local(root) => {
                let file = root.join(path);
                file.try_exists().map_err(at(file.display().to_string()))
            }
            Root::Remote => match self.store.head(&self.key(path)).await {
                Ok(_) => Ok(true),
                Err(object_store::Error::NotFound { .. }) => Ok(false),
                Err(error) => Err(error.into()),
            },
        }
    }

    /// All files below a folder, in the order of their names.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub async fn list(&self, folder: &str) -> Result<Vec<Listed>> {
        let mut listed = match &self.root {
            Root::Local(root) => {
                let mut found = Vec::new();
                list_local(root, &root.join(folder), &mut found)?;
                found
            }
            Root::Remote => {
                let start = self.prefix.as_ref().len() + usize::from(!self.prefix.as_ref().is_empty());
                let key = self.key(folder);
                let objects = self.store.list(Some(&key)).try_collect::<Vec<_>>().await?;
                let now = chrono::Utc::now();
                objects
                    .into_iter()
                    .map(|object| Listed {
                        path: object.location.as_ref()[start..].to_owned(),
                        age: (now - object.last_modified).num_seconds().max(0) as u64,
                    })
                    .collect()
            }
        };
        listed.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        Ok(listed)
    }

    /// Removes a file, if it is there.
    ///
    /// # Errors
    /// When it is there and stays.
    pub async fn remove(&self, path: &str) -> Result<()> {
        match &self.root {
            Root::Local(root) => {
                let file = root.join(path);
                match fs::remove_file(&file) {
                    Err(error) if error.kind() != ErrorKind::NotFound => {
                        Err(at(file.display().to_string())(error))
                    }
                    _ => Ok(()),
                }
            }
            Root::Remote => match self.store.delete(&self.key(path)).await {
                Err(object_store::Error::NotFound { .. }) | Ok(()) => Ok(()),
                Err(error) => Err(error.into()),
            },
        }
    }

    /// Removes what writers that died have left of files on their way.
    ///
    /// # Errors
    /// When the folder cannot be listed, or a file stays.
    pub async fn remove_unfinished(&self, older_than: u64) -> Result<u64> {
        let mut removed = 0;
        if self.folder().is_some() {
            for file in self.list(UNFINISHED).await? {
                if file.age >= older_than {
                    self.remove(&file.path).await?;
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }
}

/// Runs what waits for the disk where it holds nothing up.
pub(crate) async fn apart<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| Error::Ended(error.to_string()))?
}

fn put_local(root: &Path, path: &str, content: &[u8]) -> Result<bool> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let target = root.join(path);
    let folder = target.parent().unwrap_or(root);
    let unfinished = root.join(UNFINISHED);
    make_durably(folder)?;
    make_durably(&unfinished)?;
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let temporary = unfinished.join(format!("{}-{count}-{:016x}", std::process::id(), random()));
    let shown = || target.display().to_string();
    let write = || {
        let mut file = File::options().write(true).create_new(true).open(&temporary)?;
        file.write_all(content)?;
        file.sync_all()
    };
    let written = write();
    // A link, for it fails where the name is taken; a rename would take the place of what another writer has put there.
    let linked = written.and_then(|()| fs::hard_link(&temporary, &target));
    let removed = fs::remove_file(&temporary);
    let is_new = match linked {
        Ok(()) => true,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => false,
        Err(error) => return Err(at(shown())(error)),
    };
    // What is there already must be durable, too, before anybody builds on it.
    sync_folder(folder)?;
    removed.map_err(at(shown()))?;
    Ok(is_new)
}

/// Makes a folder whose name outlives a crash.
fn make_durably(folder: &Path) -> Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(parent) = folder.parent() {
        make_durably(parent)?;
        match fs::create_dir(folder) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                return Err(at(folder.display().to_string())(error));
            }
            _ => sync_folder(parent)?,
        }
    }
    Ok(())
}

fn sync_folder(folder: &Path) -> Result<()> {
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(at(folder.display().to_string()))
}

fn list_local(root: &Path, folder: &Path, found: &mut Vec<Listed>) -> Result<()> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(at(folder.display().to_string())(error)),
    };
    for entry in entries {
        let path = entry.map_err(at(folder.display().to_string()))?.path();
        let about = match fs::metadata(&path) {
            Ok(about) => about,
            // Removed in between.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(at(path.display().to_string())(error)),
        };
        if about.is_dir() {
            list_local(root, &path, found)?;
        } else if let Ok(below) = path.strip_prefix(root) {
            let modified = about.modified().unwrap_or(UNIX_EPOCH);
            let age = SystemTime::now().duration_since(modified).unwrap_or_default();
            found.push(Listed {
                path: below.to_string_lossy().into_owned(),
                age: age.as_secs(),
            });
        }
    }
    Ok(())
}

/// A number that no other process makes: the keys of the standard library's tables come from the system.
pub(crate) fn random() -> u64 {
    use std::hash::{BuildHasher as _, RandomState};
    RandomState::new().hash_one(SystemTime::now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_name_is_taken_once() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::open(folder.path().to_str().unwrap()).unwrap();
        assert!(place.put_new("log/1.json", b"one".to_vec()).await.unwrap());
        assert!(!place.put_new("log/1.json", b"two".to_vec()).await.unwrap());
        assert_eq!(place.get("log/1.json").await.unwrap().unwrap(), b"one");
        assert_eq!(place.get("log/2.json").await.unwrap(), None);
        let names: Vec<String> = place
            .list("")
            .await
            .unwrap()
            .into_iter()
            .map(|file| file.path)
            .collect();
        assert_eq!(names, ["log/1.json"]);
        place.remove("log/1.json").await.unwrap();
        place.remove("log/1.json").await.unwrap();
    }

    #[tokio::test]
    async fn a_store_of_objects_takes_a_name_once() {
        let store = Arc::new(object_store::memory::InMemory::new());
        let place = Place::remote(store, Url::parse("memory://").unwrap(), "some/folder");
        assert!(place.put_new("log/1.json", b"one".to_vec()).await.unwrap());
        assert!(!place.put_new("log/1.json", b"two".to_vec()).await.unwrap());
        assert_eq!(place.get("log/1.json").await.unwrap().unwrap(), b"one");
        assert_eq!(place.list("log").await.unwrap()[0].path, "log/1.json");
    }

    #[test]
    fn what_is_no_place_is_refused() {
        for name in ["s3://", "ftp://host/folder"] {
            assert!(matches!(Place::open(name), Err(Error::NoPlace(_))), "{name}");
        }
    }
}
