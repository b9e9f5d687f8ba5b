import { number, shortText } from '@drawbridge/piece-kit';

export const key = shortText('Key', { required: true, minLength: 1, maxLength: 255 });

const YEAR = 366 * 24 * 60 * 60;

export const ttlSeconds = number('Time to live', {
  integer: true,
  minimum: 1,
  maximum: 10 * YEAR,
  description: 'Seconds. Defaults to no expiry.',
});
