import { dropdown, json, longText, shortText } from '@drawbridge/piece-kit';
import { itemLimit } from '../item-limit.js';
import { assignees, projects } from './options.js';

export const project = dropdown('Project', {
  required: true,
  description: 'The key, such as ENG.',
  pattern: '^[A-Za-z][A-Za-z0-9_]{1,254}$',
  options: projects,
});

export const issue = shortText('Issue', {
  required: true,
  description: 'A key, such as ENG-123, or an id.',
  pattern: '^[A-Za-z0-9_-]{1,100}$',
});

const SUMMARY = { minLength: 1, maxLength: 255 } as const;
export const summary = shortText('Summary', { ...SUMMARY, required: true, description: 'The title.' });
export const newSummary = shortText('Summary', { ...SUMMARY, description: 'The new title.' });
export const description = longText('Description', { description: 'Markdown.', maxLength: 32_000 });
export const body = longText('Text', { required: true, description: 'Markdown.', minLength: 1, maxLength: 32_000 });

export const assignee = <Refresher extends 'project' | 'issue'>(refresher: Refresher) =>
  dropdown('Assignee', {
    description: 'The account id of a user.',
    pattern: '^[A-Za-z0-9:_-]{1,128}$',
    options: assignees,
    refreshers: [refresher],
  });

export const labels = json('Labels', {
  description: 'Words: ["backend", "urgent"].',
  schema: { type: 'array', maxItems: 100, items: { type: 'string', pattern: '^\\S{1,255}$' } },
});

export const priority = shortText('Priority', { description: 'Such as High.', maxLength: 100 });
export const dueDate = shortText('Due date', {
  description: 'Such as 2026-01-31.',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
});

export const limit = itemLimit({ defaultsTo: 50, maximum: 1_000 });
