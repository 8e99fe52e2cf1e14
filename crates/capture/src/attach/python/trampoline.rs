//! Machine code that a thread runs between two of its instructions: it saves every register, calls functions of the interpreter,
//! and goes back as if nothing had been. Once a thread is sent there, nobody has to wait for it: it comes back by itself, even if
//! this process has ended meanwhile.

use super::functions::Functions;

/// Where in the data's pages what stands. The data begin at a multiple of a page.
mod place {
    /// 1 once the thread is about to go back.
    pub const BACK: u64 = 0;
    /// What the function returned.
    pub const RETURNED: u64 = 8;
    /// 1 once the interpreter has run the text.
    pub const RAN: u64 = 16;
    /// The text for the interpreter, with a zero behind it.
    pub const TEXT: u64 = 64;
    /// Floating point and vector registers, at a multiple of 64. The most that a processor has today is 11,008 bytes.
    pub const VECTORS: u64 = 0x4000;
}

/// Where in the page of code the function is that the interpreter is asked to call.
const ASKED: u64 = 0x800;

/// Bytes of the pages of code, and of data.
pub(super) const CODE_BYTES: u64 = 0x1000;
pub(super) const DATA_BYTES: u64 = 0x10000;

/// What the thread does there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trampoline {
    /// Asks the interpreter to run the text as soon as its main thread executes Python again. `Py_AddPendingCall` may be
    /// called at any moment.
    Ask,
    /// Runs the text at once. Only for a thread that waits.
    Run,
}

/// The pages of one call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pages {
    pub code: u64,
    pub data: u64,
}

impl Pages {
    pub fn back(self) -> u64 {
        self.data + place::BACK
    }

    pub fn returned(self) -> u64 {
        self.data + place::RETURNED
    }

    pub fn ran(self) -> u64 {
        self.data + place::RAN
    }

    pub fn text(self) -> u64 {
        self.data + place::TEXT
    }

    /// The longest text that fits, in bytes.
    pub const LONGEST_TEXT: usize = (place::VECTORS - place::TEXT - 1) as usize;

    /// Whether an instruction is one of these.
    pub fn has(self, instruction: u64) -> bool {
        (self.code..self.code + CODE_BYTES).contains(&instruction)
    }
}

/// `goes_on_at` is the instruction that the thread would have executed next.
pub(super) fn machine_code(
    trampoline: Trampoline,
    pages: Pages,
    functions: &Functions,
    goes_on_at: u64,
) -> Vec<u8> {
    let mut code = Code(Vec::new());
    code.add(&[0x48, 0x8D, 0x64, 0x24, 0x80]); // lea rsp, [rsp - 128]: what is below belongs to the function
    code.add(&[0x9C]); // pushfq
    code.add(&[0x50, 0x51, 0x52, 0x53, 0x55, 0x56, 0x57]); // push rax, rcx, rdx, rbx, rbp, rsi, rdi
    for register in 0x50..=0x57 {
        code.add(&[0x41, register]); // push r8 … r15
    }
    code.add(&[0x48, 0x89, 0xE5]); // mov rbp, rsp
    code.add(&[0x48, 0x83, 0xE4, 0xF0]); // and rsp, -16
    code.add(&[0xFC]); // cld
    code.load(RBX, pages.data);
    code.vectors([0x0F, 0xAE, 0xA3]); // xsave64 [rbx + …]
    match trampoline {
        Trampoline::Ask => {
            code.load(RDI, pages.code + ASKED);
            code.load(RSI, pages.text());
            code.call(functions.add_pending_call);
        }
        Trampoline::Run => {
            code.call(functions.take_lock);
            code.add(&[0x41, 0x89, 0xC4]); // mov r12d, eax
            code.load(RDI, pages.text());
            code.call(functions.run_text);
            code.set(place::RAN);
            code.add(&[0x44, 0x89, 0xE7]); // mov edi, r12d
            code.call(functions.give_lock);
            code.add(&[0x31, 0xC0]); // xor eax, eax
        }
    }
    code.add(&[0x48, 0x63, 0xC0]); // movsxd rax, eax
    code.add(&[0x48, 0x89, 0x43, place::RETURNED as u8]); // mov [rbx + …], rax
    code.vectors([0x0F, 0xAE, 0xAB]); // xrstor64 [rbx + …]
    code.set(place::BACK);
    code.add(&[0x48, 0x89, 0xEC]); // mov rsp, rbp
    for register in (0x58..=0x5F).rev() {
        code.add(&[0x41, register]); // pop r15 … r8
    }
    code.add(&[0x5F, 0x5E, 0x5D, 0x5B, 0x5A, 0x59, 0x58]); // pop rdi, rsi, rbp, rbx, rdx, rcx, rax
    code.add(&[0x9D]); // popfq
    code.add(&[0x48, 0x8D, 0xA4, 0x24, 0x80, 0, 0, 0]); // lea rsp, [rsp + 128]
    code.add(&[0xFF, 0x25, 0, 0, 0, 0]); // jmp [rip]
    code.add(&goes_on_at.to_le_bytes());
    code.0.resize(ASKED as usize, 0);

    // int asked(void *text): whatever comes of the text, the interpreter hears of no error.
    code.add(&[0xF3, 0x0F, 0x1E, 0xFA]); // endbr64
    code.add(&[0x53]); // push rbx
    code.load(RBX, pages.data);
    code.call(functions.run_text);
    code.set(place::RAN);
    code.add(&[0x31, 0xC0]); // xor eax, eax
    code.add(&[0x5B, 0xC3]); // pop rbx; ret
    code.0
}

const RBX: u8 = 0xBB;
const RSI: u8 = 0xBE;
const RDI: u8 = 0xBF;
const RAX: u8 = 0xB8;

struct Code(Vec<u8>);

impl Code {
    fn add(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
    }

    /// `mov register, value`
    fn load(&mut self, register: u8, value: u64) {
        self.add(&[0x48, register]);
        self.add(&value.to_le_bytes());
    }

    fn call(&mut self, function: u64) {
        self.load(RAX, function);
        self.add(&[0xFF, 0xD0]);
    }

    /// Writes 1 to a place of the data, which register `rbx` has.
    fn set(&mut self, place: u64) {
        self.add(&[0x48, 0xC7, 0x43, place as u8, 1, 0, 0, 0]); // mov qword [rbx + place], 1
    }

    /// Saves or restores all vector registers that the system has switched on.
    fn vectors(&mut self, instruction: [u8; 3]) {
        self.add(&[0xB8, 0xFF, 0xFF, 0xFF, 0xFF]); // mov eax, -1
        self.add(&[0xBA, 0xFF, 0xFF, 0xFF, 0xFF]); // mov edx, -1
        self.add(&[0x48]);
        self.add(&instruction);
        self.add(&(place::VECTORS as u32).to_le_bytes());
    }
}
