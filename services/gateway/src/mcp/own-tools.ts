import { type JsonObject } from './protocol/message.js';

/** Continues the call of another tool. */
export const CONTINUE = 'svc_continue';
/** Lists the values for an argument. */
export const OPTIONS = 'svc_options';

const TOOL = { type: 'string', description: 'The name of the other tool.' };
const ARGUMENTS = { type: 'object', description: 'The arguments of the other tool, exactly as they were.' };

/** Every server has this tool. Its description refers to other tools without saying what they do. */
export const CONTINUE_TOOL: JsonObject = {
  name: CONTINUE,
  title: 'Continue a call',
  description:
    'Continues the call of another tool of this server, when its result said so: one that a person has approved meanwhile, or the next part of a long result. Send what the continuation of that result names.',
  inputSchema: {
    type: 'object',
    properties: {
      tool: TOOL,
      arguments: ARGUMENTS,
      idempotencyKey: { type: 'string', minLength: 1, maxLength: 255, description: 'As the result named it.' },
      offset: { type: 'integer', minimum: 0, description: 'As the result named it.' },
    },
    required: ['tool', 'arguments'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
};

/** Servers with an argument whose options only the provider knows have this tool. */
export const OPTIONS_TOOL: JsonObject = {
  name: OPTIONS,
  title: 'Look up options',
  description:
    'Lists what can be sent for an argument of another tool of this server, where the description of that argument says so: names with the values to send. For an argument that is an object it tells its keys. Changes nothing.',
  inputSchema: {
    type: 'object',
    properties: {
      tool: TOOL,
      argument: { type: 'string', description: 'The name of the argument.' },
      arguments: { type: 'object', description: 'The arguments that are known so far: options may depend on them.' },
      search: { type: 'string', maxLength: 200, description: 'Words to find among many options.' },
    },
    required: ['tool', 'argument'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
};
