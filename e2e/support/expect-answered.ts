import { type Answer } from './api.js';
import { EVERY_OPERATION } from './every-operation.js';
import { shortOf } from './expect-unchanged.js';

/** Expects that a valid call of this operation succeeded, or returned its documented error. */
export function expectAnswered(id: string, answer: Answer): void {
  const { refusal } = EVERY_OPERATION[id]!;
  if (refusal) expect(shortOf(answer)).toBe(refusal);
  else expect(answer.status).toBeLessThan(300);
}
