import type { Language } from './reading/language.js';

/** All the sentences the offline model can say, in one language. */
export interface Phrases {
  locale: string;
  noModel: string;
  greeting: string;
  thanks: string;
  subject: (subject: string) => string;
  standIn: string;
  canDo: string;
  noTools: string;
  example: string;
  missing: string;
  askMissing: string;
  quantities: (units: string) => string;
  noDetails: string;
  refused: string;
  failed: (reason: string) => string;
  askToMend: string;
  result: string;
  empty: string;
  sources: string;
  caveats: string;
  details: string;
  more: (count: number) => string;
  summary: string;
  nothingToSummarise: string;
  nothingToAdd: string;
  yes: string;
  no: string;
  colon: string;
}

const settings = 'LLM_BASE_URL, LLM_API_KEY, LLM_MODEL';

export const phrases: Readonly<Record<Language, Phrases>> = {
  fr: {
    locale: 'fr-FR',
    noModel: `Remarque : aucun modèle de langage n'est configuré ; c'est le modèle hors ligne intégré qui répond, selon des règles fixes. Pour en brancher un, renseignez ces variables puis redémarrez : ${settings}.`,
    greeting: 'Bonjour !',
    thanks: 'Avec plaisir.',
    subject: (subject) => `Vous m'écrivez à propos de « ${subject} ».`,
    standIn:
      "Je suis le modèle hors ligne : je choisis un outil, je l'appelle avec les chiffres que vous donnez et je rapporte son résultat, mais je ne sais pas répondre librement à cette demande.",
    canDo: 'Voici ce que je peux faire pour vous :',
    noTools: "Aucun outil n'est actif pour le moment dans cet assistant.",
    example: 'Dites-moi ce qui vous serait utile, avec vos chiffres et vos unités.',
    missing: 'Pour continuer, il me manque :',
    askMissing: 'Pouvez-vous me donner ces précisions ?',
    quantities: (units) =>
      `des quantités avec leur unité (${units}), par exemple « 12 000 kWh d'électricité »`,
    refused: 'Non compté',
    noDetails: "les informations à prendre en compte (je n'en ai reconnu aucune dans votre message)",
    failed: (reason) => `Je n'ai pas pu aller au bout : ${reason}`,
    askToMend: 'Pouvez-vous corriger ou compléter votre demande ?',
    result: 'Voici ce que j’ai trouvé :',
    empty: 'C’est fait ; l’outil n’a rien renvoyé à afficher.',
    sources: 'Sources',
    caveats: 'À savoir',
    details: 'Détail',
    more: (count) => `et ${count} de plus`,
    summary: 'En résumé :',
    nothingToSummarise: "Il n'y a encore rien à résumer.",
    nothingToAdd:
      "Je n'ai rien à ajouter à ma dernière réponse. Posez-moi une nouvelle question ou donnez d'autres chiffres.",
    yes: 'oui',
    no: 'non',
    colon: ' : ',
  },
  en: {
    locale: 'en-GB',
    noModel: `Note: no language model is configured; the built-in offline model is answering, by fixed rules. To connect one, set these variables and restart: ${settings}.`,
    greeting: 'Hello!',
    thanks: 'You are welcome.',
    subject: (subject) => `You are writing about “${subject}”.`,
    standIn:
      'I am the offline model: I pick a tool, call it with the figures you give and report its result, but I cannot answer this request freely.',
    canDo: 'Here is what I can do for you:',
    noTools: 'No tool is active in this assistant at the moment.',
    example: 'Tell me what would help you, with your figures and their units.',
    missing: 'To go on, I still need:',
    askMissing: 'Could you give me these details?',
    quantities: (units) => `quantities with their units (${units}), for example “12,000 kWh of electricity”`,
    refused: 'Not counted',
    noDetails: 'the facts to take into account (I recognised none in your message)',
    failed: (reason) => `I could not finish: ${reason}`,
    askToMend: 'Could you correct or complete your request?',
    result: 'Here is what I found:',
    empty: 'Done; the tool returned nothing to show.',
    sources: 'Sources',
    caveats: 'Please note',
    details: 'Breakdown',
    more: (count) => `and ${count} more`,
    summary: 'In short:',
    nothingToSummarise: 'There is nothing to summarise yet.',
    nothingToAdd: 'I have nothing to add to my last answer. Ask me something new or give me other figures.',
    yes: 'yes',
    no: 'no',
    colon: ': ',
  },
  es: {
    locale: 'es-ES',
    noModel: `Nota: no hay ningún modelo de lenguaje configurado; responde el modelo sin conexión integrado, con reglas fijas. Para conectar uno, defina estas variables y reinicie: ${settings}.`,
    greeting: '¡Hola!',
    thanks: 'Con mucho gusto.',
    subject: (subject) => `Me escribe sobre «${subject}».`,
    standIn:
      'Soy el modelo sin conexión: elijo una herramienta, la uso con las cifras que usted da y cuento su resultado, pero no sé responder libremente a esta petición.',
    canDo: 'Esto es lo que puedo hacer por usted:',
    noTools: 'Ahora mismo no hay ninguna herramienta activa en este asistente.',
    example: 'Dígame qué necesita, con sus cifras y unidades.',
    missing: 'Para continuar, me falta:',
    askMissing: '¿Puede darme estos datos?',
    quantities: (units) => `cantidades con su unidad (${units}), por ejemplo «12.000 kWh de electricidad»`,
    refused: 'No contado',
    noDetails: 'los datos que hay que tener en cuenta (no he reconocido ninguno en su mensaje)',
    failed: (reason) => `No he podido terminar: ${reason}`,
    askToMend: '¿Puede corregir o completar su petición?',
    result: 'Esto es lo que he encontrado:',
    empty: 'Hecho; la herramienta no ha devuelto nada que mostrar.',
    sources: 'Fuentes',
    caveats: 'Tenga en cuenta',
    details: 'Detalle',
    more: (count) => `y ${count} más`,
    summary: 'En resumen:',
    nothingToSummarise: 'Todavía no hay nada que resumir.',
    nothingToAdd: 'No tengo nada que añadir a mi última respuesta. Hágame otra pregunta o deme otras cifras.',
    yes: 'sí',
    no: 'no',
    colon: ': ',
  },
  'zh-Hant': {
    locale: 'zh-Hant-TW',
    noModel: `提醒：目前尚未設定語言模型，這則回覆來自內建的離線模型，只依固定規則作答。若要連接語言模型，請設定下列環境變數後重新啟動：${settings}。`,
    greeting: '您好！',
    thanks: '不客氣。',
    subject: (subject) => `您提到的是「${subject}」。`,
    standIn: '我是離線模型：我會挑選工具，用您提供的數字呼叫它，再把結果告訴您，但無法自由回答這個問題。',
    canDo: '我可以為您做的事：',
    noTools: '這個助理目前沒有啟用任何工具。',
    example: '請告訴我您的需求，並附上數字與單位。',
    missing: '要繼續的話，還需要：',
    askMissing: '可以請您補充這些資料嗎？',
    quantities: (units) => `數量與單位（${units}），例如「12,000 kWh 電力」`,
    refused: '未計入',
    noDetails: '需要納入的資料（我在您的訊息中沒有辨識到）',
    failed: (reason) => `這次沒有完成：${reason}`,
    askToMend: '可以請您修正或補充您的需求嗎？',
    result: '查到的結果如下：',
    empty: '已完成，工具沒有傳回可顯示的內容。',
    sources: '資料來源',
    caveats: '請注意',
    details: '明細',
    more: (count) => `另外還有 ${count} 項`,
    summary: '摘要：',
    nothingToSummarise: '目前還沒有可以摘要的內容。',
    nothingToAdd: '我的上一則回覆已是全部內容。請提出新的問題，或提供其他數字。',
    yes: '是',
    no: '否',
    colon: '：',
  },
};
