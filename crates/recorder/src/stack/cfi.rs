//! Rules from an object's call frame information (`.eh_frame`), which stripped programs keep because exceptions and
//! stack traces need it.

use std::ffi::c_void;
use std::slice;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use gimli::{
    BaseAddresses, CfaRule, EhFrame, EhFrameHdr, EndianSlice, NativeEndian, Operation, Pointer, Register,
    RegisterRule, UnwindContext, UnwindContextStorage, UnwindExpression, UnwindSection, UnwindTableRow,
};

use super::rules::{Base, Rule};

type Bytes = EndianSlice<'static, NativeEndian>;

#[cfg(target_arch = "x86_64")]
mod registers {
    use gimli::{Register, X86_64};
    pub const STACK_POINTER: Register = X86_64::RSP;
    pub const FRAME_POINTER: Register = X86_64::RBP;
    pub const RETURN_ADDRESS: Register = X86_64::RA;
}

#[cfg(target_arch = "aarch64")]
mod registers {
    use gimli::{AArch64, Register};
    pub const STACK_POINTER: Register = AArch64::SP;
    pub const FRAME_POINTER: Register = AArch64::X29;
    pub const RETURN_ADDRESS: Register = AArch64::X30;
}

use registers::{FRAME_POINTER, RETURN_ADDRESS, STACK_POINTER};

/// Room on the stack: about 5 KB, and nothing is allocated.
struct OnStack;

impl UnwindContextStorage<usize> for OnStack {
    type Rules = [(Register, RegisterRule<usize>); 32];
    type Stack = [UnwindTableRow<usize, Self>; 4];
}

/// Where an object's unwinding table lies, and how far its mapping goes.
struct Object {
    header: usize,
    end: usize,
}

/// `struct dl_find_object` of the C library.
#[repr(C)]
struct Found {
    flags: u64,
    map_start: *mut c_void,
    map_end: *mut c_void,
    link_map: *mut c_void,
    eh_frame: *mut c_void,
    reserved: [u64; 8],
}

type FindObject = unsafe extern "C" fn(*mut c_void, *mut Found) -> i32;

static FIND_OBJECT: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

/// Looks for the C library's lock-free search (glibc 2.35 and later).
pub fn prepare() {
    // SAFETY: a lookup by name.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"_dl_find_object".as_ptr()) };
    FIND_OBJECT.store(found, Relaxed);
}

fn object_of(address: usize) -> Option<Object> {
    let find = FIND_OBJECT.load(Relaxed);
    if find.is_null() {
        return search(address);
    }
    // SAFETY: the C library's function with its documented signature; `found` is large enough on every machine.
    unsafe {
        let find: FindObject = std::mem::transmute(find);
        let mut found: Found = std::mem::zeroed();
        (find(address as *mut c_void, &raw mut found) == 0 && !found.eh_frame.is_null()).then_some(Object {
            header: found.eh_frame as usize,
            end: found.map_end as usize,
        })
    }
}

/// The search of older C libraries. No lock of the recorder is held here, because the dynamic linker takes its own.
fn search(address: usize) -> Option<Object> {
    struct Wanted {
        address: usize,
        object: Option<Object>,
    }
    unsafe extern "C" fn visit(info: *mut libc::dl_phdr_info, _: usize, wanted: *mut c_void) -> i32 {
        // SAFETY: the dynamic linker passes valid program headers, and `wanted` is ours.
        unsafe {
            let (info, wanted) = (&*info, &mut *wanted.cast::<Wanted>());
            let headers = slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum));
            let base = info.dlpi_addr as usize;
            let (mut inside, mut header, mut end) = (false, 0, 0);
            for segment in headers {
                let start = base.wrapping_add(segment.p_vaddr as usize);
                let stop = start.wrapping_add(segment.p_memsz as usize);
                if segment.p_type == libc::PT_LOAD {
                    inside |= (start..stop).contains(&wanted.address);
                    end = end.max(stop);
                } else if segment.p_type == libc::PT_GNU_EH_FRAME {
                    header = start;
                }
            }
            if inside && header != 0 {
                wanted.object = Some(Object { header, end });
            }
            i32::from(inside)
        }
    }
    let mut wanted = Wanted {
        address,
        object: None,
    };
    // SAFETY: the callback has the asked-for signature, and `wanted` outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut wanted).cast()) };
    wanted.object
}

fn bytes(start: usize, end: usize) -> Option<Bytes> {
    let len = end.checked_sub(start)?;
    // SAFETY: from the object's unwinding data to the end of its mapping, which stays while code of it is running.
    // Segments may leave gaps in between, but the data is one segment and only what it leads to is read.
    Some(EndianSlice::new(
        unsafe { slice::from_raw_parts(start as *const u8, len) },
        NativeEndian,
    ))
}

/// The rule of the function that `address` returns into; nothing when it has none or one that is not understood.
pub fn rule(address: usize) -> Option<Rule> {
    let Some(object) = object_of(address) else {
        return Some(without_information());
    };
    let header = bytes(object.header, object.end)?;
    let bases = BaseAddresses::default().set_eh_frame_hdr(object.header as u64);
    let parsed = EhFrameHdr::from(header).parse(&bases, 8).ok()?;
    let Pointer::Direct(start) = parsed.eh_frame_ptr() else {
        return None;
    };
    let start = start as usize;
    // The linker puts the table before or after the data itself, in the same mapping.
    let frames = EhFrame::from(bytes(start, object.end)?);
    let bases = bases.set_eh_frame(start as u64);
    let mut context = UnwindContext::<usize, OnStack>::new_in();
    // A return address may be the first byte of the next function when a call does not return.
    let row = parsed.table()?.unwind_info_for_address(
        &frames,
        &bases,
        &mut context,
        address as u64 - 1,
        EhFrame::cie_from_offset,
    );
    match row {
        Ok(row) => translate(row, &frames),
        Err(gimli::Error::NoUnwindInfoForAddress) => Some(without_information()),
        Err(_) => None,
    }
}

/// Code made at run time and hand-written assembly: the chain of frame pointers, if it keeps one. A wrong guess ends
/// at the stack's bounds, and reads nothing outside of them.
fn without_information() -> Rule {
    Rule {
        base: Base::FramePointer,
        offset: 16,
        return_below: 8,
        frame_below: Some(16),
    }
}

fn below(offset: i64) -> Option<usize> {
    usize::try_from(-offset).ok()
}

fn translate(row: &UnwindTableRow<usize, OnStack>, frames: &EhFrame<Bytes>) -> Option<Rule> {
    let return_below = match row.register(RETURN_ADDRESS) {
        Some(RegisterRule::Offset(offset)) => below(offset)?,
        _ => return None,
    };
    let (base, offset) = match row.cfa() {
        CfaRule::RegisterAndOffset { register, offset } => {
            let base = match *register {
                STACK_POINTER => Base::StackPointer,
                FRAME_POINTER => Base::FramePointer,
                _ => return None,
            };
            (base, usize::try_from(*offset).ok()?)
        }
        CfaRule::Expression(expression) => {
            let (offset, loads) = from_frame_pointer(expression, frames)?;
            if !loads {
                return None;
            }
            (Base::AtFramePointer, below(offset)?)
        }
    };
    let frame_below = match row.register(FRAME_POINTER) {
        None | Some(RegisterRule::SameValue | RegisterRule::Undefined) => None,
        Some(RegisterRule::Offset(offset)) if base != Base::AtFramePointer => Some(below(offset)?),
        // Realigned functions save it where the frame pointer points to.
        Some(RegisterRule::Expression(expression)) if base == Base::AtFramePointer => {
            (from_frame_pointer(&expression, frames)? == (0, false)).then_some(Some(0))?
        }
        Some(_) => return None,
    };
    Some(Rule {
        base,
        offset,
        return_below,
        frame_below,
    })
}

/// Understands `frame pointer + offset`, and the word there.
fn from_frame_pointer(expression: &UnwindExpression<usize>, frames: &EhFrame<Bytes>) -> Option<(i64, bool)> {
    let encoding = gimli::Encoding {
        address_size: 8,
        format: gimli::Format::Dwarf32,
        version: 4,
    };
    let mut operations = expression.get(frames).ok()?.operations(encoding);
    let Operation::RegisterOffset {
        register: FRAME_POINTER,
        offset,
        ..
    } = operations.next().ok()??
    else {
        return None;
    };
    match operations.next().ok()? {
        None => Some((offset, false)),
        Some(Operation::Deref { size: 8, .. }) => operations.next().ok()?.is_none().then_some((offset, true)),
        Some(_) => None,
    }
}
