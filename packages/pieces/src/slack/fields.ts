import { type Fields, same } from '../pick-fields.js';

export const CHANNEL: Fields = {
  ...same('id', 'name', 'user', 'is_private', 'is_im', 'is_mpim', 'is_archived', 'is_member', 'num_members'),
  topic: 'topic.value',
  purpose: 'purpose.value',
};

export const USER: Fields = {
  ...same('id', 'name', 'real_name', 'team_id', 'tz', 'deleted', 'is_bot', 'is_admin', 'is_restricted'),
  display_name: 'profile.display_name',
  email: 'profile.email',
  title: 'profile.title',
  phone: 'profile.phone',
  status: 'profile.status_text',
};

export const MESSAGE: Fields = {
  ...same('ts', 'user', 'bot_id', 'text', 'thread_ts', 'reply_count', 'reactions'),
  files: 'files.*.name',
};
