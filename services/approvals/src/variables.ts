import { EGRESS_VARIABLES } from '@drawbridge/egress';
import { MAIL_VARIABLES } from '@drawbridge/mail';
import { type Config, PROCESS_VARIABLES, type Variables } from '@drawbridge/rpc';
import { PIECES_VARIABLES } from '@drawbridge/service';
import { type ModelSettings } from './model/ask-model.js';
import { MODEL_VARIABLES } from './model/variables.js';

const { INTERNAL_KEY } = PROCESS_VARIABLES;

/** The environment variables of approvals. INTERNAL_KEY is shared by all processes; approval links are derived from it. */
export const VARIABLES = {
  INTERNAL_KEY,
  ...MODEL_VARIABLES,
  ...EGRESS_VARIABLES,
  ...MAIL_VARIABLES,
  ...PIECES_VARIABLES,
} satisfies Variables;

/** Returns undefined if no model is configured. */
export function modelSettings(config: Config<typeof MODEL_VARIABLES>): ModelSettings | undefined {
  const { RISK_MODEL_URL: url, RISK_MODEL: model, RISK_MODEL_KEY: key } = config;
  return url === '' ? undefined : { url, model, key };
}
