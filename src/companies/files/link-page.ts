import { inLanguage } from '../../common/text/in-language.js';

interface PageTexts {
  language: string;
  expired: { title: string; text: string };
  gone: { title: string; text: string };
  failed: { title: string; text: string };
}

const textsIn = inLanguage<PageTexts>({
  en: {
    language: 'en',
    expired: {
      title: 'This link has expired',
      text: 'Links to files work for a quarter of an hour. Go back to the conversation in which the file was made and open it from there: you are given a new link.',
    },
    gone: {
      title: 'There is no file here',
      text: 'The file was deleted, or the link is not whole. Go back to the conversation in which the file was made, or ask for it again.',
    },
    failed: {
      title: 'The file cannot be fetched at the moment',
      text: 'Something went wrong on our side. Please try again in a few minutes.',
    },
  },
  fr: {
    language: 'fr',
    expired: {
      title: 'Ce lien a expiré',
      text: 'Les liens vers les fichiers sont valables un quart d’heure. Revenez à la conversation où le fichier a été créé et ouvrez-le de là : un nouveau lien vous est donné.',
    },
    gone: {
      title: 'Il n’y a pas de fichier ici',
      text: 'Le fichier a été supprimé, ou le lien n’est pas entier. Revenez à la conversation où le fichier a été créé, ou redemandez-le.',
    },
    failed: {
      title: 'Le fichier est indisponible pour le moment',
      text: 'Une erreur s’est produite de notre côté. Réessayez dans quelques minutes.',
    },
  },
  es: {
    language: 'es',
    expired: {
      title: 'Este enlace ha caducado',
      text: 'Los enlaces a los archivos valen un cuarto de hora. Vuelva a la conversación en la que se creó el archivo y ábralo desde allí: recibirá un enlace nuevo.',
    },
    gone: {
      title: 'Aquí no hay ningún archivo',
      text: 'El archivo se ha eliminado o el enlace no está completo. Vuelva a la conversación en la que se creó el archivo o pídalo de nuevo.',
    },
    failed: {
      title: 'El archivo no está disponible en este momento',
      text: 'Se ha producido un error por nuestra parte. Inténtelo de nuevo dentro de unos minutos.',
    },
  },
  zh: {
    language: 'zh-Hant',
    expired: {
      title: '此連結已失效',
      text: '檔案連結的有效時間為十五分鐘。請回到產生該檔案的對話，從那裡開啟檔案，即可取得新的連結。',
    },
    gone: {
      title: '這裡沒有檔案',
      text: '檔案已被刪除，或連結不完整。請回到產生該檔案的對話，或重新要求產生。',
    },
    failed: {
      title: '目前無法取得檔案',
      text: '我們的系統發生錯誤，請過幾分鐘再試。',
    },
  },
});

/** Whether the answer will be looked at: browsers say so when a link is opened, programs do not. */
export function isShownToPeople(accept: string | undefined): boolean {
  return accept?.toLowerCase().includes('text/html') ?? false;
}

/** Says why a link gives no file, and what to do, in the language that the browser asks for first. */
export function linkPage(status: number, acceptLanguage: string | undefined): string {
  const { language, expired, gone, failed } = textsIn(acceptLanguage?.split(/[,;]/, 1)[0]?.trim() ?? 'en');
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
