//! Raw blocks, as native programs have them.

use super::blocks::FIRST_ADDRESS;
use crate::{HeapBuilder, Kind, ObjectId, Presence, Site};

/// The line in a file of that name that calls the allocator.
fn site_in(function: &str) -> Site {
    Site {
        function: function.to_owned(),
        location: format!("{function}.cpp:1"),
        ..Site::default()
    }
}

impl HeapBuilder {
    /// A raw block with these contents, allocated by `function`; charged as the allocator charges.
    pub fn block(&mut self, function: &str, content: &[u8]) -> ObjectId {
        self.block_at(site_in(function), content)
    }

    /// A node of a library's container.
    pub fn node_of_library(&mut self, function: &str, content: &[u8]) -> ObjectId {
        let site = Site {
            allocates: Some("node".to_owned()),
            of_library: true,
            ..site_in(function)
        };
        self.block_at(site, content)
    }

    /// A raw block that holds an array of values. `element` is the size of one value in bytes.
    pub fn array_block(&mut self, function: &str, element: u64, content: &[u8]) -> ObjectId {
        let site = Site {
            element: Some(element),
            ..site_in(function)
        };
        self.block_at(site, content)
    }

    fn block_at(&mut self, site: Site, content: &[u8]) -> ObjectId {
        let name = site.name();
        let requested = content.len() as u64;
        let bytes = self.parts.allocator.charged(requested);
        let id = self.object(Kind::Opaque, "", bytes);
        let site = match self.site_ids.get(&name) {
            Some(&site) => site,
            None => self.parts.sites.add(site),
        };
        self.site_ids.insert(name, site);
        self.parts.sites.set(id, site);
        self.blocks.contents.insert(id, content.to_vec());
        id
    }

    /// Leaves out what the program asked for, as a walk of the heap does.
    pub fn hide_requests(&mut self) -> &mut Self {
        self.parts.coverage.requests = Presence::Absent;
        self
    }

    /// Hands memory on as it was: what stands in blocks may be what others left.
    pub fn hide_untouched(&mut self) -> &mut Self {
        self.parts.coverage.untouched = Presence::Partial;
        self
    }

    /// Leaves the contents of blocks out, as some dumps do.
    pub fn hide_contents(&mut self) -> &mut Self {
        self.blocks.hidden = true;
        self
    }

    /// The address at which the contents of other blocks find a block: its row, shifted by 12 bits, above 2⁴⁰.
    #[must_use]
    pub const fn address(block: ObjectId) -> u64 {
        FIRST_ADDRESS + ((block as u64) << 12)
    }
}
