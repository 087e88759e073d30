import { createInterface } from 'node:readline';

/** Asks on standard error and reads a line of standard input, as Terminal.ask says. */
export async function askPerson(question: string, signal?: AbortSignal): Promise<string> {
  if (signal?.aborted) return '';
  const lines = createInterface({ input: process.stdin, ...(signal && { signal }) });
  try {
    process.stderr.write(question);
    // A line, or the end of the input.
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
  }
}
