/** Beside the console, whatever a proxy has before both. */
export const basePath = new URL('.', document.baseURI).pathname;

export const serverUrl = new URL('.', document.baseURI).href;

export const apiUrl = new URL('graphql', document.baseURI).href;

export const socketUrl = apiUrl.replace(/^http/, 'ws');
