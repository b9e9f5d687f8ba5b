import { dateTime, shortText } from '@drawbridge/piece-kit';

export const date = dateTime('Date', {
  required: true,
  description: 'ISO 8601, such as 2026-05-01T09:00:00Z.',
});

export const timezone = shortText('Time zone', {
  description: 'Such as Europe/Berlin. Defaults to UTC.',
  minLength: 1,
  maxLength: 64,
});

export const locale = shortText('Language', {
  description: 'Language of names of months and days, such as de-DE. Defaults to en-US.',
  minLength: 2,
  maxLength: 35,
});

export const pattern = shortText('Format', {
  required: true,
  description: 'Luxon tokens, such as yyyy-MM-dd HH:mm:ss.',
  minLength: 1,
  maxLength: 200,
});
