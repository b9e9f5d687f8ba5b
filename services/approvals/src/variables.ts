import { EGRESS_VARIABLES } from '@drawbridge/egress';
import { MAIL_VARIABLES } from '@drawbridge/mail';
import { type Config, PROCESS_VARIABLES, type Variables } from '@drawbridge/rpc';
import { PIECES_VARIABLES } from '@drawbridge/service';
import { type ModelSettings } from './model/ask-model.js';
import { MODEL_VARIABLES } from './model/variables.js';

const { INTERNAL_KEY } = PROCESS_VARIABLES;

/** What approvals reads of the environment: what every process does, too, where links are made of it. */
export const VARIABLES = {
  INTERNAL_KEY,
  ...MODEL_VARIABLES,
  ...EGRESS_VARIABLES,
  ...MAIL_VARIABLES,
  ...PIECES_VARIABLES,
} satisfies Variables;

/** Undefined: none is configured. Throws naming what lacks. */
export function modelSettings(config: Config<typeof MODEL_VARIABLES>): ModelSettings | undefined {
  const { APPROVAL_MODEL_URL: url, APPROVAL_MODEL: model, APPROVAL_MODEL_KEY: key } = config;
  if (url === '') return undefined;
  if (model === '') throw new Error('Wrong configuration:\n  APPROVAL_MODEL: is required with APPROVAL_MODEL_URL');
  return { url, model, key };
}
