import { baseUrl, text, type Variables } from '@drawbridge/rpc';

/** Whom policies ask that are `model_assisted`. */
export const MODEL_VARIABLES = {
  APPROVAL_MODEL_URL: {
    ...baseUrl({
      default: '',
      desc: 'OpenAI-compatible endpoint that `model_assisted` policies ask, such as https://api.openai.com/v1. Wants APPROVAL_MODEL. Default: none; they then match.',
    }),
    isSecret: true, // some are given a key in their query, which is refused, and not shown
  },
  APPROVAL_MODEL: {
    ...text({ default: '', desc: 'The model that is asked there.' }),
    check: (name: string): void => requireVisible(name, 200),
  },
  APPROVAL_MODEL_KEY: {
    ...text({ default: '', desc: 'What that endpoint is sent as a bearer token.' }),
    isSecret: true,
    check: (key: string): void => requireVisible(key, 4_000),
  },
} satisfies Variables;

function requireVisible(value: string, max: number): void {
  if (!/^[\x21-\x7e]+$/.test(value) || value.length > max) throw new Error(`must be 1 to ${max} visible characters`);
}
