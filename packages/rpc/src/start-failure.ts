/** Returns the text for an operator whose process failed to start: the message, which says what to do, or the stack of a bug of ours. */
export function startFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOurs = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  return isOurs ? (error.stack ?? error.message) : error.message;
}
