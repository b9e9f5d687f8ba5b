import { dateTime, shortText } from '@drawbridge/piece-kit';

export const date = dateTime('Date', { required: true, description: 'ISO 8601, with its zone.' });

export const timezone = shortText('Time zone', {
  description: 'IANA name, such as Europe/Berlin; UTC if absent.',
  minLength: 1,
  maxLength: 64,
});

export const locale = shortText('Language', {
  description: 'BCP 47 tag for names of months and days, such as de-DE; en-US if absent.',
  minLength: 2,
  maxLength: 35,
});

export const pattern = shortText('Format', {
  required: true,
  description: 'Tokens such as yyyy-MM-dd HH:mm:ss, as https://moment.github.io/luxon/#/formatting lists them.',
  minLength: 1,
  maxLength: 200,
});
