/** What posting may cost. */
export interface Budgets {
  /** The longest that a capture may stop the process, in milliseconds; 1000 when left out. */
  maxPauseMs?: number;
  /** The most of one processor that captures and weighings may take since the start, from 0 to 1; 0.01 when left out. */
  maxCpu?: number;
  /** No capture where more bytes are in use than this; 500,000,000 when left out. */
  maxBytes?: number;
}

/** What came of it: the bytes in use and how long the process stood still, or why nothing was posted. */
export type Posted = { posted: true; bytes: number; pauseMs: number } | { posted: false; why: string };

/**
 * Captures this process, weighs it in another one and posts the weighing, without the program's texts, to `url`. It skips
 * what would cost more than `budgets`. Worker threads are not captured.
 */
export function post(url: string, budgets?: Budgets): Promise<Posted>;
