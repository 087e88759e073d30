const PAGE = /(?<!\p{L})(?:page|pages|página|seite|pagina|of|sur|de|von|di)(?!\p{L})/giu;

/** Whether what stands at the top or bottom of every page says more than which page it is. */
export const saysMore = (text: string): boolean => /\p{L}{3}/u.test(text.replaceAll(PAGE, ' '));
