import { checkbox, InputError, longText, number, statefulAction } from '@drawbridge/piece-kit';
import { branchId, count, keyOf, MAIN } from '../branches.js';
import { toThought } from '../to-thought.js';

const thoughtNumber = (displayName: string, description: string) =>
  number(displayName, { integer: true, minimum: 1, maximum: 100_000, description });

export const addThought = statefulAction({
  displayName: 'Add thought',
  description: 'Adds the next thought of a branch and returns its number in the branch.',
  category: 'write',
  adds: true,
  props: {
    thought: longText('Thought', { required: true, minLength: 1, maxLength: 16_000 }),
    branchId,
    branchFrom: thoughtNumber('Branch from', 'For a new branch: the thought of the main branch after which it begins.'),
    revises: thoughtNumber('Revises', 'The number of the thought in this branch that this one replaces.'),
    totalThoughts: thoughtNumber('Total thoughts', 'Estimated total number of thoughts.'),
    nextThoughtNeeded: checkbox('Next thought needed', { description: 'true if another thought follows.' }),
  },
  run: async ({ input, state }) => {
    const { thought, branchId: branch = MAIN, branchFrom, revises, totalThoughts, nextThoughtNeeded } = input;
    if (branch === MAIN && branchFrom !== undefined)
      throw new InputError('branchFrom', 'needs branchId: set it to the id of the new branch');
    // Uses one transaction, so that a thought that cannot be stored does not use up a number.
    const added = await state.together(async (update) => {
      const thoughtNumber = await count(update, { branch, from: branchFrom, revises });
      const note = {
        ...{ branchId: branch, thoughtNumber, revises: revises ?? null },
        ...{ totalThoughts: totalThoughts ?? null, nextThoughtNeeded: nextThoughtNeeded ?? null },
      };
      return update(keyOf(branch, thoughtNumber), () => ({ value: thought, note }));
    });
    return toThought(added);
  },
});
