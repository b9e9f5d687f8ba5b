import { type Check, compileCheck, type Problems } from './problems.js';

const NEEDED_WHEN_EXTERNAL = { type: 'string', minLength: 1, maxLength: 255 };

const ADVANCED_CODE = {
  type: 'object',
  properties: {
    timeoutSeconds: { type: 'number', minimum: 1, maximum: 300 },
    sandboxPersistence: { enum: ['ephemeral', 'persistent'] },
    storageMountScope: { enum: ['none', 'end_user', 'workspace', 'external'] },
    storageExternalId: NEEDED_WHEN_EXTERNAL,
  },
  additionalProperties: false,
  if: { properties: { storageMountScope: { const: 'external' } }, required: ['storageMountScope'] },
  then: { required: ['storageExternalId'] },
};

const PERSISTENCE = {
  type: 'object',
  properties: {
    scope: { enum: ['end_user', 'workspace', 'external'] },
    externalId: NEEDED_WHEN_EXTERNAL,
  },
  additionalProperties: false,
  if: { properties: { scope: { const: 'external' } }, required: ['scope'] },
  then: { required: ['externalId'] },
};

const SETTINGS = { type: 'object', properties: { advancedCode: ADVANCED_CODE, persistence: PERSISTENCE } };

/** Limits the settings, in bytes of JSON text as UTF-8, because a list of a workspace contains the settings of all its integrations. */
const MAX_BYTES = 16 * 1024;

let check: Check | undefined;

/** Returns the problems of settings. The two groups that the contract defines are always checked; other keys belong to the owner. */
export function settingsProblems(settings: object): Problems {
  const bytes = Buffer.byteLength(JSON.stringify(settings));
  if (bytes > MAX_BYTES) return { settings: `must be at most ${MAX_BYTES} bytes as JSON, is ${bytes}` };
  check ??= compileCheck(SETTINGS, 'settings');
  return check(settings);
}
