import { EGRESS_VARIABLES } from '@drawbridge/egress';
import { MAIL_VARIABLES } from '@drawbridge/mail';
import { baseUrl, type Config, PROCESS_VARIABLES, text, type Variables } from '@drawbridge/rpc';
import { PIECES_VARIABLES } from '@drawbridge/service';
import { type ModelSettings } from './model/risk-model.js';

const { INTERNAL_KEY } = PROCESS_VARIABLES;

/** The environment variables of the service. INTERNAL_KEY is the same in all processes, because the tokens of approval links are derived from it. */
export const VARIABLES = {
  INTERNAL_KEY,
  RISK_MODEL_URL: {
    ...baseUrl({
      default: '',
      desc: 'OpenAI-compatible endpoint for `model_assisted` policies, such as https://api.openai.com/v1. Default: none. Without it, such policies always match.',
    }),
    formerly: 'APPROVAL_MODEL_URL',
    isSecret: true, // Some operators put an API key in the query. This is rejected, and the error must not contain the key.
  },
  RISK_MODEL: {
    ...text({ default: 'gpt-5-mini', desc: 'Name of the model at RISK_MODEL_URL.' }),
    formerly: 'APPROVAL_MODEL',
    check: (name: string): void => requireVisible(name, 200),
  },
  RISK_MODEL_KEY: {
    ...text({ default: '', desc: 'Bearer token for RISK_MODEL_URL.' }),
    formerly: 'APPROVAL_MODEL_KEY',
    isSecret: true,
    check: (key: string): void => requireVisible(key, 4_000),
  },
  ...EGRESS_VARIABLES,
  ...MAIL_VARIABLES,
  ...PIECES_VARIABLES,
} satisfies Variables;

/** Returns the model for `model_assisted` policies, or undefined if none is configured. */
export function modelSettings(config: Config<typeof VARIABLES>): ModelSettings | undefined {
  const { RISK_MODEL_URL: url, RISK_MODEL: model, RISK_MODEL_KEY: key } = config;
  return url === '' ? undefined : { url, model, key };
}

function requireVisible(value: string, max: number): void {
  if (!/^[\x21-\x7e]+$/.test(value) || value.length > max) throw new Error(`must be 1 to ${max} visible characters`);
}
