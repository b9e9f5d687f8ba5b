import { EGRESS_VARIABLES } from '@drawbridge/egress';
import { MAIL_VARIABLES } from '@drawbridge/mail';
import { type Variables } from '@drawbridge/rpc';
import { PIECES_VARIABLES } from '@drawbridge/service';

/** The environment variables of the triggers service. */
export const VARIABLES = { ...EGRESS_VARIABLES, ...MAIL_VARIABLES, ...PIECES_VARIABLES } satisfies Variables;
