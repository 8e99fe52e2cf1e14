//! Where objects were allocated.

use crate::ObjectId;

/// A row of [`Sites`].
pub type SiteId = u32;

/// No site.
pub const NOWHERE: SiteId = SiteId::MAX;

/// One place of the program that allocates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Site {
    /// The function as a person would name it, or the module with an offset.
    pub function: String,
    /// File and line where they are known, else the module with an offset.
    pub location: String,
    /// The type of what is allocated there, where the functions on the way to the allocator show it.
    pub allocates: Option<String>,
    /// Whether that is a node of a library's container, whose size no caller chooses.
    pub of_library: bool,
    /// Bytes of one value, where what is allocated there are arrays of values of one type, as far as somebody says.
    pub element: Option<u64>,
}

impl Site {
    /// What a person would call it: the function, with the type of what it allocates.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.allocates {
            Some(ty) => format!("{ty} in {}", self.function),
            None => self.function.clone(),
        }
    }
}

/// The site of each row, as far as the dump shows it.
#[derive(Debug, Default)]
pub struct Sites {
    of: Vec<SiteId>,
    sites: Vec<Site>,
}

impl Sites {
    /// Adds a site.
    pub fn add(&mut self, site: Site) -> SiteId {
        self.sites.push(site);
        (self.sites.len() - 1) as SiteId
    }

    /// Says where a row was allocated.
    pub fn set(&mut self, object: ObjectId, site: SiteId) {
        let row = object as usize;
        if self.of.len() <= row {
            self.of.resize(row + 1, NOWHERE);
        }
        self.of[row] = site;
    }

    /// Says where all rows were allocated, [`NOWHERE`] where nobody knows.
    pub fn set_all(&mut self, of: Vec<SiteId>) {
        self.of = of;
    }

    /// Says how many bytes one value has in the arrays that are allocated at a site.
    pub fn set_element(&mut self, site: SiteId, bytes: u64) {
        if let Some(site) = self.sites.get_mut(site as usize) {
            site.element = Some(bytes);
        }
    }

    /// The id of the site of a row.
    #[must_use]
    pub fn id(&self, object: ObjectId) -> Option<SiteId> {
        let site = self.of.get(object as usize).copied();
        site.filter(|&site| site != NOWHERE)
    }

    /// A site by its id.
    #[must_use]
    pub fn get(&self, id: SiteId) -> Option<&Site> {
        self.sites.get(id as usize)
    }

    /// The site of a row.
    #[must_use]
    pub fn of(&self, object: ObjectId) -> Option<&Site> {
        self.get(self.id(object)?)
    }
}
