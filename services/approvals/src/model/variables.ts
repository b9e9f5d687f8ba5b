import { baseUrl, text, type Variables } from '@drawbridge/rpc';

/** The model that `model_assisted` policies use. */
export const MODEL_VARIABLES = {
  RISK_MODEL_URL: {
    ...baseUrl({
      default: '',
      desc: 'OpenAI-compatible endpoint that `model_assisted` policies ask, such as https://api.openai.com/v1. Default: none; they then match.',
    }),
    formerly: 'APPROVAL_MODEL_URL',
    isSecret: true, // Some operators put a key in the query. That is refused, and the error must not show it.
  },
  RISK_MODEL: {
    ...text({ default: 'gpt-5-mini', desc: 'The name of the model there.' }),
    formerly: 'APPROVAL_MODEL',
    check: (name: string): void => requireVisible(name, 200),
  },
  RISK_MODEL_KEY: {
    ...text({ default: '', desc: 'The bearer token for that endpoint.' }),
    formerly: 'APPROVAL_MODEL_KEY',
    isSecret: true,
    check: (key: string): void => requireVisible(key, 4_000),
  },
} satisfies Variables;

function requireVisible(value: string, max: number): void {
  if (!/^[\x21-\x7e]+$/.test(value) || value.length > max) throw new Error(`must be 1 to ${max} visible characters`);
}
