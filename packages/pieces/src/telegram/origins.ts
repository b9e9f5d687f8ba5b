export const API = 'https://api.telegram.org';
