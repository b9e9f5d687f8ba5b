import { EGRESS_VARIABLES } from '@drawbridge/egress';
import { type Config, type Variables } from '@drawbridge/rpc';
import { PIECES_VARIABLES } from '@drawbridge/service';
import { type ModelSettings } from './model/ask-model.js';
import { MODEL_VARIABLES } from './model/variables.js';

/** What approvals alone reads of the environment. */
export const VARIABLES = { ...MODEL_VARIABLES, ...EGRESS_VARIABLES, ...PIECES_VARIABLES } satisfies Variables;

/** Undefined: none is configured. Throws naming what lacks. */
export function modelSettings(config: Config<typeof MODEL_VARIABLES>): ModelSettings | undefined {
  const { APPROVAL_MODEL_URL: url, APPROVAL_MODEL: model, APPROVAL_MODEL_KEY: key } = config;
  if (url === '') return undefined;
  if (model === '') throw new Error('Wrong configuration:\n  APPROVAL_MODEL: is required with APPROVAL_MODEL_URL');
  return { url, model, key };
}
