/** What an operator reads when a process can't start: the message, for it says what to do. A fault of ours comes with its stack. */
export function startFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOurs = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  return isOurs ? (error.stack ?? error.message) : error.message;
}
