import { type Answer } from './api.js';
import { EVERY_OPERATION } from './every-operation.js';
import { shortOf } from './expect-unchanged.js';

/** A good call of this operation did what it is for, as far as the product can. */
export function expectAnswered(id: string, answer: Answer): void {
  const { refusal } = EVERY_OPERATION[id]!;
  if (refusal) expect(shortOf(answer)).toBe(refusal);
  else expect(answer.status).toBeLessThan(300);
}
