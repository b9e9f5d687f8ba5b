export const FILES_ORIGIN = 'https://files.slack.com';
