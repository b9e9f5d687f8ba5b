import {
  action,
  checkbox,
  file,
  type FileValue,
  json,
  type JsonObject,
  longText,
  number,
  shortText,
  staticDropdown,
} from '@drawbridge/piece-kit';
import { withOutputText } from '../output-text.js';
import { ID, metadata, reasoningEffort, temperature, textModel, TIMEOUT_MS } from '../properties.js';

/** Generates a response to a prompt: https://platform.openai.com/docs/api-reference/responses/create */
export const respond = action({
  displayName: 'Respond',
  description:
    'Answers a prompt with a model. Returns the response with its text as "output_text". For an answer that takes longer than 50 seconds, ' +
    'set "background" and read it later with get_response.',
  category: 'payment',
  timeoutMs: TIMEOUT_MS,
  props: {
    model: textModel,
    input: longText('Prompt', { required: true, minLength: 1, maxLength: 1_000_000 }),
    instructions: longText('Instructions', {
      description: 'Such as its tone or its task.',
      maxLength: 1_000_000,
    }),
    file: file('File', { description: 'An image or document that the prompt is about.' }),
    previous_response_id: shortText('Previous response', {
      description: 'The response that this prompt continues (resp_…).',
      pattern: ID,
      maxLength: 200,
    }),
    json_schema: json('JSON Schema', {
      description:
        'Makes the text JSON. Every object needs "additionalProperties": false and all properties in "required".',
      schema: { type: 'object' },
    }),
    tools: json('Tools', {
      description: 'Tools of OpenAI: [{"type": "web_search"}].',
      schema: {
        type: 'array',
        items: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
        maxItems: 128,
      },
    }),
    max_output_tokens: number('Maximum tokens', {
      description: 'Limits the answer, reasoning included.',
      integer: true,
      minimum: 16,
    }),
    reasoning_effort: reasoningEffort,
    verbosity: staticDropdown('Verbosity', ['low', 'medium', 'high'], { description: 'Defaults to medium.' }),
    temperature,
    background: checkbox('In background', {
      description: 'Returns at once with status "queued". Read the answer with get_response.',
    }),
    store: checkbox('Store', {
      description: 'Stores the response for get_response and for continuing prompts. Defaults to true.',
    }),
    metadata,
  },
  run: async ({ http, input }) => {
    const { input: prompt, file: attached, json_schema: schema, reasoning_effort: effort, verbosity, ...rest } = input;
    const text = {
      ...(schema && { format: { type: 'json_schema', name: 'result', strict: true, schema } }),
      ...(verbosity && { verbosity }),
    };
    const body = {
      ...rest,
      input: attached
        ? [{ role: 'user', content: [{ type: 'input_text', text: prompt }, contentOf(attached)] }]
        : prompt,
      ...(effort && { reasoning: { effort } }),
      ...((schema || verbosity) && { text }),
    };
    return withOutputText(await http.json({ method: 'POST', path: '/v1/responses', json: body }));
  },
});

/** Converts a file to content of a prompt: an image, or a file such as a PDF: https://platform.openai.com/docs/guides/pdf-files */
function contentOf({ filename, mimeType, base64 }: FileValue): JsonObject {
  const url = `data:${mimeType};base64,${base64}`;
  return mimeType.startsWith('image/')
    ? { type: 'input_image', image_url: url, detail: 'auto' }
    : { type: 'input_file', filename, file_data: url };
}
