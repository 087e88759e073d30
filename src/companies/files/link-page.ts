import { wordingIn } from '../../common/wording/wording.js';

/** Whether a person will see the answer: browsers say so when a link is opened, programs do not. */
export function isShownToPeople(accept: string | undefined): boolean {
  return accept?.toLowerCase().includes('text/html') ?? false;
}

/** Explains why a link has no file, and what to do, in the browser's preferred language. */
export function linkPage(status: number, acceptLanguage: string | undefined): string {
  const { language, expired, gone, failed } = wordingIn(
    acceptLanguage?.split(/[,;]/, 1)[0]?.trim() ?? 'en',
  ).fileLink;
  const { title, text } = status === 410 ? expired : status === 404 ? gone : failed;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
</head>
<body>
<h1>${title}</h1>
<p>${text}</p>
</body>
</html>
`;
}
