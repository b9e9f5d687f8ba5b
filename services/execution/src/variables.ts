import { EGRESS_VARIABLES } from '@drawbridge/egress';
import { type Variables, wholeNumber } from '@drawbridge/rpc';
import { PIECES_VARIABLES } from '@drawbridge/service';

/** The environment variables that only the execution service reads. */
export const VARIABLES = {
  RUN_LOG_DAYS: wholeNumber({ min: 1, max: 3_650 })({
    default: 90,
    desc: 'For how many days the run log keeps a run; 1 to 3650.',
  }),
  ...EGRESS_VARIABLES,
  ...PIECES_VARIABLES,
} satisfies Variables;
