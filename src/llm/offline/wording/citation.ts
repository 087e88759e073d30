export interface CitedSource {
  publisher: string;
  title: string;
  year: string;
  url: string;
}

/** «Publisher, title (year), address»: a source as French, English and Spanish cite it, without what is not known. */
export const citation = ({ publisher, title, year, url }: CitedSource): string =>
  [publisher, year === '' ? title : `${title} (${year})`, url].filter((part) => part !== '').join(', ');
