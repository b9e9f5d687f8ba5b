/** The account of the token: https://developers.hubspot.com/docs/api-reference/account-account-info-v3/details/get-account-info-v3-details */
export const ACCOUNT = '/account-info/v3/details';
