import { inLanguage } from '../../../common/text/in-language.js';
import type { AnalysisFailure } from '../../../documents/analysis/document-analysis.entity.js';

/** How much of a document was read. */
interface ReadPart {
  pages: number | null;
  pagesRead: number | null;
  isWhole: boolean;
}

/** All that the skill says to people in one language. `name` is the document's, `percent` a whole number. */
interface AnalysisWording {
  reading(name: string, percent: number): string;
  done(facts: { name: string; figures: number; part: ReadPart }): string;
  esg(covered: number, missing: number): string;
  inBackground(name: string, percent: number): string;
  failed: Readonly<Record<AnalysisFailure, (name: string) => string>>;
  notFound(wanted: string): string;
  noDocument: string;
  whichOne(names: readonly string[]): string;
  notUploaded(name: string): string;
  notReadYet(name: string, percent: number): string;
  notReadable(name: string, reason: string): string;
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

const english: AnalysisWording = {
  reading: (name, percent) => `Analysing “${name}”: ${percent} %`,
  done: ({ name, figures, part }) =>
    `Analysis of “${name}”: ${counted(figures, 'key figure', 'key figures')}${
      part.pages === null ? '' : `, ${counted(part.pages, 'page', 'pages')}`
    }.${
      part.isWhole
        ? ''
        : part.pagesRead === null || part.pagesRead === part.pages
          ? ' Only a part of it could be read.'
          : ` Only the pages up to ${part.pagesRead} were read.`
    }`,
  esg: (covered, missing) =>
    `ESG: ${counted(covered, 'indicator', 'indicators')} supported, ${missing} missing.`,
  inBackground: (name, percent) =>
    `The analysis of “${name}” goes on in the background (${percent} %). A notification will tell when it is done.`,
  failed: {
    NO_TEXT: (name) => `“${name}” holds no text that could be analysed.`,
    QUOTA: (name) => `“${name}” was not analysed: what was granted is used up.`,
    MODEL: (name) => `“${name}” could not be analysed: the model did not manage. You can ask again.`,
    INTERNAL: (name) => `“${name}” could not be analysed because of an error. You can ask again.`,
  },
  notFound: (wanted) => `There is no document called “${wanted}”.`,
  noDocument: 'There is no document to be analysed.',
  whichOne: (names) => `Several documents may be meant: ${names.join(' · ')}. Which one?`,
  notUploaded: (name) => `“${name}” has not been uploaded yet.`,
  notReadYet: (name, percent) => `“${name}” is still being read (${percent} %). Ask again in a moment.`,
  notReadable: (name, reason) => `“${name}” could not be read: ${reason}`,
};

const french: AnalysisWording = {
  reading: (name, percent) => `Analyse de « ${name} » : ${percent} %`,
  done: ({ name, figures, part }) =>
    `Analyse de « ${name} » : ${counted(figures, 'chiffre clé', 'chiffres clés')}${
      part.pages === null ? '' : `, ${counted(part.pages, 'page', 'pages')}`
    }.${
      part.isWhole
        ? ''
        : part.pagesRead === null || part.pagesRead === part.pages
          ? ' Seule une partie a pu être lue.'
          : ` Seules les pages jusqu’à la ${part.pagesRead} ont été lues.`
    }`,
  esg: (covered, missing) =>
    `ESG : ${counted(covered, 'critère étayé', 'critères étayés')}, ${counted(missing, 'manquant', 'manquants')}.`,
  inBackground: (name, percent) =>
    `L’analyse de « ${name} » continue en arrière-plan (${percent} %). Une notification dira quand elle est prête.`,
  failed: {
    NO_TEXT: (name) => `« ${name} » ne contient pas de texte à analyser.`,
    QUOTA: (name) => `« ${name} » n’a pas été analysé : le quota est épuisé.`,
    MODEL: (name) =>
      `« ${name} » n’a pas pu être analysé : le modèle n’y est pas parvenu. Vous pouvez redemander.`,
    INTERNAL: (name) => `« ${name} » n’a pas pu être analysé à cause d’une erreur. Vous pouvez redemander.`,
  },
  notFound: (wanted) => `Aucun document ne s’appelle « ${wanted} ».`,
  noDocument: 'Il n’y a pas de document à analyser.',
  whichOne: (names) => `Plusieurs documents peuvent correspondre : ${names.join(' · ')}. Lequel ?`,
  notUploaded: (name) => `« ${name} » n’a pas encore été envoyé.`,
  notReadYet: (name, percent) =>
    `« ${name} » est en cours de lecture (${percent} %). Redemandez dans un instant.`,
  notReadable: (name, reason) => `« ${name} » n’a pas pu être lu : ${reason}`,
};

const spanish: AnalysisWording = {
  reading: (name, percent) => `Análisis de «${name}»: ${percent} %`,
  done: ({ name, figures, part }) =>
    `Análisis de «${name}»: ${counted(figures, 'cifra clave', 'cifras clave')}${
      part.pages === null ? '' : `, ${counted(part.pages, 'página', 'páginas')}`
    }.${
      part.isWhole
        ? ''
        : part.pagesRead === null || part.pagesRead === part.pages
          ? ' Solo se pudo leer una parte.'
          : ` Solo se leyeron las páginas hasta la ${part.pagesRead}.`
    }`,
  esg: (covered, missing) =>
    `ESG: ${counted(covered, 'criterio respaldado', 'criterios respaldados')}, faltan ${missing}.`,
  inBackground: (name, percent) =>
    `El análisis de «${name}» sigue en segundo plano (${percent} %). Una notificación avisará cuando esté listo.`,
  failed: {
    NO_TEXT: (name) => `«${name}» no contiene texto que analizar.`,
    QUOTA: (name) => `«${name}» no se analizó: la cuota está agotada.`,
    MODEL: (name) => `«${name}» no se pudo analizar: el modelo no lo logró. Puede volver a pedirlo.`,
    INTERNAL: (name) => `«${name}» no se pudo analizar por un error. Puede volver a pedirlo.`,
  },
  notFound: (wanted) => `No hay ningún documento llamado «${wanted}».`,
  noDocument: 'No hay ningún documento que analizar.',
  whichOne: (names) => `Varios documentos pueden corresponder: ${names.join(' · ')}. ¿Cuál?`,
  notUploaded: (name) => `«${name}» aún no se ha subido.`,
  notReadYet: (name, percent) =>
    `«${name}» todavía se está leyendo (${percent} %). Vuelva a pedirlo en un momento.`,
  notReadable: (name, reason) => `«${name}» no se pudo leer: ${reason}`,
};

const traditionalChinese: AnalysisWording = {
  reading: (name, percent) => `正在分析「${name}」：${percent}%`,
  done: ({ name, figures, part }) =>
    `「${name}」的分析：${figures} 個關鍵數字${part.pages === null ? '' : `，共 ${part.pages} 頁`}。${
      part.isWhole
        ? ''
        : part.pagesRead === null || part.pagesRead === part.pages
          ? '只讀取了其中一部分。'
          : `只讀取到第 ${part.pagesRead} 頁。`
    }`,
  esg: (covered, missing) => `ESG：${covered} 項指標有依據，缺少 ${missing} 項。`,
  inBackground: (name, percent) => `「${name}」的分析在背景繼續進行（${percent}%），完成時會收到通知。`,
  failed: {
    NO_TEXT: (name) => `「${name}」沒有可分析的文字。`,
    QUOTA: (name) => `「${name}」未分析：額度已用完。`,
    MODEL: (name) => `「${name}」無法分析：模型未能完成，您可以再問一次。`,
    INTERNAL: (name) => `「${name}」因發生錯誤而無法分析，您可以再問一次。`,
  },
  notFound: (wanted) => `沒有名為「${wanted}」的文件。`,
  noDocument: '沒有可分析的文件。',
  whichOne: (names) => `可能是下列文件：${names.join('、')}。請問是哪一份？`,
  notUploaded: (name) => `「${name}」尚未上傳。`,
  notReadYet: (name, percent) => `「${name}」仍在讀取中（${percent}%），請稍後再問。`,
  notReadable: (name, reason) => `「${name}」無法讀取：${reason}`,
};

/** The wording of a BCP 47 language; English for one that is not there. */
export const analysisWordingOf = inLanguage<AnalysisWording>({
  en: english,
  fr: french,
  es: spanish,
  zh: traditionalChinese,
});
