import { action, json, number } from '@drawbridge/piece-kit';
import { reasoningEffort, temperature, textModel, TIMEOUT_MS } from '../properties.js';

/** Generates the next message of a conversation: https://platform.openai.com/docs/api-reference/chat/create */
export const chat = action({
  displayName: 'Chat',
  description:
    'Continues a conversation that the input contains as a whole. Returns the completion; the text is in choices[0].message.content. ' +
    'Use respond for single prompts and for answers that take longer than 50 seconds.',
  category: 'payment',
  timeoutMs: TIMEOUT_MS,
  props: {
    model: textModel,
    messages: json('Messages', {
      required: true,
      description: 'Oldest first: [{"role": "user", "content": "Hello"}].',
      schema: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            role: { type: 'string', enum: ['developer', 'system', 'user', 'assistant'] },
            content: { description: 'Text, or parts: [{"type": "text", "text": "Hello"}].' },
          },
          required: ['role', 'content'],
        },
        minItems: 1,
      },
    }),
    max_completion_tokens: number('Maximum tokens', {
      description: 'Limits the answer, reasoning included.',
      integer: true,
      minimum: 1,
    }),
    reasoning_effort: reasoningEffort,
    temperature,
    response_format: json('Response format', {
      description:
        'JSON output: {"type": "json_object"}, or {"type": "json_schema", "json_schema": {"name": "x", "schema": {…}}}.',
      schema: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
    }),
    stop: json('Stop at', {
      description: 'At most 4 texts that end the answer, without them. Not for reasoning models.',
      schema: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, maxItems: 4 },
    }),
  },
  call: {
    method: 'POST',
    path: '/v1/chat/completions',
    body: ['model', 'messages', 'max_completion_tokens', 'reasoning_effort', 'temperature', 'response_format', 'stop'],
  },
});
