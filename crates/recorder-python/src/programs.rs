//! Modules, types, code and frames: what a program itself consists of.

use crate::layout::{class, object};
use crate::raw::{Address, half, word};
use crate::row::flag;
use crate::tables;
use crate::walk::Walk;

impl Walk {
    pub fn tell_module(&mut self, at: Address) {
        // SAFETY: the object is a module.
        let dictionary = unsafe { word(at + object::MODULE_DICT) };
        for (index, name) in [&b"__name__"[..], b"__file__"].into_iter().enumerate() {
            let found = tables::find(self.layout(), &self.texts, dictionary, name);
            let text = found.and_then(|found| self.texts.utf8(found));
            let is_own = |text: &Vec<u8>| {
                let loads = || tables::find(self.layout(), &self.texts, dictionary, b"_load_next").is_some();
                text.starts_with(b"deadweight_recorder") || text == b"sitecustomize" && loads()
            };
            if index == 0 && text.as_ref().is_some_and(is_own) {
                self.row.flags |= flag::RECORDER;
            }
            let number = text.map_or(0, |text| u64::from(self.names.of(&text)) + 1);
            self.row.tell(number);
        }
    }

    pub fn tell_code(&mut self, at: Address) {
        let layout = *self.layout();
        // SAFETY: the object is a code object.
        let (file, name, line) = unsafe {
            (
                word(at + layout.code_file),
                word(at + layout.code_name),
                half(at + layout.code_line),
            )
        };
        for text in [file, name] {
            let text = self.texts.utf8(text).unwrap_or_default();
            let number = self.names.of(&text);
            self.row.tell(u64::from(number));
        }
        self.row.tell(u64::from(line));
        if layout.minor > 10 {
            self.attribute(b"co_localsplusnames", at + layout.code_variables);
            self.attribute(b"co_localspluskinds", at + layout.code_variables + 8);
        }
    }

    /// The name of a code object's function.
    pub fn function_name(&mut self, code: Address) -> Option<u32> {
        // SAFETY: the address is that of a code object.
        let name = unsafe { word(code + self.layout().code_name) };
        self.names.of_object(&self.texts, name)
    }

    pub fn tell_frame(&mut self, at: Address) {
        let layout = *self.layout();
        let inner = if layout.frame.owner == 0 {
            at
        } else {
            // SAFETY: the object is a frame.
            unsafe { word(at + layout.frame_inner) }
        };
        let name = if inner == 0 {
            None
        } else {
            // SAFETY: a frame has its code.
            let code = unsafe { word(inner + layout.frame.code) };
            (code != 0).then(|| self.function_name(code)).flatten()
        };
        self.row.tell(name.map_or(0, |name| u64::from(name) + 1));
    }

    pub fn tell_type(&mut self, at: Address) {
        let described = self.class_at(at);
        self.row.tell(u64::from(described.number));
        let layout = *self.layout();
        // SAFETY: the object is a type.
        let is_heap = unsafe { word(at + class::FLAGS) } & class::HEAP_TYPE != 0;
        if is_heap {
            for (name, place) in [
                ("__name__", layout.heap_name),
                ("__slots__", layout.heap_slots),
                ("__qualname__", layout.heap_qualified),
                ("__subclasses__", class::SUBCLASSES),
                ("__dict__", class::DICTIONARY),
            ] {
                self.attribute(name.as_bytes(), at + place);
            }
            // SAFETY: a type made at run time has the field.
            let keys = unsafe { word(at + layout.heap_keys) };
            if keys != 0 {
                let row = self.keys_row(keys);
                self.row.others.push(row);
            }
        } else {
            self.tell_static_type(at);
        }
    }

    /// A type of C, whose dictionary is the interpreter's from 3.12 on.
    pub fn tell_static_type(&mut self, at: Address) {
        // SAFETY: the object is a type.
        let mut dictionary = unsafe { word(at + class::DICTIONARY) };
        if let (0, Some(get)) = (dictionary, self.interpreter.type_dictionary) {
            // SAFETY: the interpreter's own function, for a type. The reference it adds is taken back.
            unsafe {
                dictionary = get(at);
                if dictionary != 0 && half(dictionary).cast_signed() >= 0 {
                    *(dictionary as *mut usize) -= 1;
                }
            }
        }
        if dictionary != 0 {
            let name = self.names.of(b"__dict__");
            self.add(name, dictionary);
        }
        // Its base and the order of its bases are members of the type of types.
        // SAFETY: a type's field.
        let bases = unsafe { word(at + class::BASES) };
        self.other(bases);
    }
}
