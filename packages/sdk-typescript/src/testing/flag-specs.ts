import { type FlagSpec } from '../cli/flags.js';

/** Flags of every kind: with a value, repeatable, without a value, and with another name. */
export const SPECS: FlagSpec[] = [
  { name: 'end-user', value: 'ID', text: '' },
  { name: 'label', value: 'TEXT', text: '', isRepeatable: true, also: ['l_abel'] },
  { name: 'draft', text: '' },
  { name: 'no-open', text: '' },
  { name: 'help', text: '', also: ['h'] },
];
