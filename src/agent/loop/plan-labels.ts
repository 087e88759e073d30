import { inLanguage } from '../../common/text/in-language.js';

/** What the loop itself says, to the model or to people, in one language. */
export interface PlanLabels {
  /** For the asker, when a turn goes on in the background. */
  movedToBackground: string;
  /** Results of skill calls that were not carried out, or not to their end. */
  timeOver: string;
  denied: string;
  expired: string;
  comment: (words: string) => string;
  /** Of what the person was asked to give. */
  declined: string;
  unanswered: string;
  identical: string;
  refused: string;
  brokenArguments: string;
  cutArguments: string;
  /** Notes at the end of a prompt. */
  answerNow: string;
  answerInJson: (schema: string) => string;
  answerMisfits: (faults: string) => string;
  left: (steps: number, seconds: number) => string;
  inBackground: string;
  /** The planner's own tools. */
  synthesize: string;
  synthesizeReason: string;
  continueInBackground: string;
  continueReason: string;
  /** What became of the planner's decision to go on in the background. */
  goesOnInBackground: string;
  /** In place of what was cut out of a result. */
  elementsLeftOut: (left: number, all: number) => string;
  fieldsLeftOut: (names: string) => string;
  textLeftOut: (leftTokens: number, allTokens: number) => string;
}

const fr: PlanLabels = {
  movedToBackground:
    'Cette demande prend plus de temps que prévu : le travail continue en arrière-plan. Une notification vous préviendra dès que la réponse sera prête.',
  timeOver:
    "Le temps imparti est écoulé : l'appel a été arrêté avant sa fin. Ne suppose pas qu'il a réussi, et réponds avec ce que tu sais déjà.",
  denied: "Cet appel n'a pas été autorisé et n'a pas eu lieu. Ne le redemande pas tel quel.",
  expired:
    "Personne n'a autorisé cet appel à temps : il n'a pas eu lieu. Dis-le dans ta réponse si cela compte.",
  comment: (words) => `Commentaire de la personne : « ${words} »`,
  declined: "La personne n'a pas voulu répondre. Continue sans cela, ou dis ce qui manque.",
  unanswered:
    "Aucune réponse n'est venue à temps : cela vaut refus. Continue sans cela, et dis-le si cela compte.",
  identical:
    'Cet appel a déjà été fait deux fois avec les mêmes arguments. Il est refusé : sers-toi des résultats obtenus, ou change les arguments.',
  refused:
    "Ce tour a lu des textes venus de l'extérieur, et l'entreprise n'autorise pas cet appel dans ce cas : il n'a pas eu lieu. Dis à la personne ce que tu n'as pas fait ; elle peut le demander dans un nouveau message.",
  brokenArguments: "Les arguments ne forment pas un objet JSON. Refais l'appel avec un JSON valide.",
  cutArguments:
    "Les arguments ont été coupés à la limite de longueur d'une réponse : l'appel n'a pas eu lieu. Demande-en moins à la fois, par exemple en plusieurs appels plus courts.",
  answerNow:
    "Réponds maintenant à la question, à partir de tout ce qui précède. Aucun outil n'est plus disponible : n'en appelle pas, et dis franchement ce qui manque.",
  answerInJson: (schema) =>
    `Quand tu donnes la réponse, elle est un seul objet JSON, sans rien avant ni après, conforme à ce schéma JSON Schema :\n${schema}`,
  answerMisfits: (faults) =>
    `Ta réponse n’a pas la forme demandée : ${faults}. Donne-la à nouveau, entière et corrigée, sans rien d’autre.`,
  left: (steps, seconds) => `Il reste ${steps} étape(s) et ${seconds} s.`,
  inBackground: "La demande est traitée en arrière-plan : la personne n'attend pas devant son écran.",
  synthesize:
    "Passe à la rédaction de la réponse. À choisir dès que tu en sais assez, ou qu'aucun outil ne peut en apprendre davantage.",
  synthesizeReason: 'Pourquoi la réponse peut être rédigée maintenant, en une phrase.',
  continueInBackground:
    "Poursuit le travail en arrière-plan ; la personne sera prévenue par une notification. À choisir quand il faut nettement plus d'étapes ou de temps qu'il n'en reste.",
  continueReason: 'Pourquoi il faut plus de temps, en une phrase que la personne pourra lire.',
  goesOnInBackground:
    "C'est fait : le travail continue en arrière-plan et la personne le sait. Poursuis maintenant avec les outils.",
  elementsLeftOut: (left, all) => `… ${left} éléments sur ${all} omis, faute de place`,
  fieldsLeftOut: (names) => `omis, faute de place : ${names}`,
  textLeftOut: (left, all) => `[… environ ${left} jetons sur ${all} omis, faute de place]`,
};

const en: PlanLabels = {
  movedToBackground:
    'This is taking longer than expected: the work goes on in the background. You will be notified as soon as the answer is ready.',
  timeOver:
    'The time is over: the call was stopped before its end. Do not assume that it succeeded, and answer with what you know already.',
  denied: 'This call was not allowed and was not carried out. Do not ask for it again as it is.',
  expired: 'Nobody allowed this call in time: it was not carried out. Say so in your answer if it matters.',
  comment: (words) => `Their comment: “${words}”`,
  declined: 'The person did not want to answer. Go on without it, or say what is missing.',
  unanswered: 'No answer came in time, which counts as declined. Go on without it, and say so if it matters.',
  identical:
    'This call was made twice already with the same arguments. It is refused: use the results you have, or change the arguments.',
  refused:
    'This turn has read texts from outside, and the company does not allow this call then: it was not carried out. Tell the user what you did not do; they can ask for it in a new message.',
  brokenArguments: 'The arguments are not a JSON object. Make the call again with valid JSON.',
  cutArguments:
    'The arguments were cut off at the output limit: the call was not carried out. Ask for less at a time, such as in several shorter calls.',
  answerNow:
    'Answer the question now, from all that precedes. No tool is available any more: call none, and say frankly what is missing.',
  answerInJson: (schema) =>
    `When you give the answer, it is one JSON object, with nothing before or after it, that fits this JSON Schema:\n${schema}`,
  answerMisfits: (faults) =>
    `Your answer is not as it was asked for: ${faults}. Give it again, whole and corrected, and nothing else.`,
  left: (steps, seconds) => `${steps} step(s) and ${seconds} s are left.`,
  inBackground: 'The request is worked on in the background: nobody is waiting in front of a screen.',
  synthesize:
    'Goes on to write the answer. Choose it as soon as you know enough, or when no tool can tell you more.',
  synthesizeReason: 'Why the answer can be written now, in one sentence.',
  continueInBackground:
    'Goes on with the work in the background; the person will be notified. Choose it when clearly more steps or time are needed than are left.',
  continueReason: 'Why more time is needed, in one sentence that the person may read.',
  goesOnInBackground:
    'Done: the work goes on in the background, and the person knows. Now go on with the tools.',
  elementsLeftOut: (left, all) => `… ${left} of ${all} elements left out for lack of room`,
  fieldsLeftOut: (names) => `left out for lack of room: ${names}`,
  textLeftOut: (left, all) => `[… about ${left} of ${all} tokens left out for lack of room]`,
};

const es: PlanLabels = {
  movedToBackground:
    'Esto está llevando más tiempo de lo previsto: el trabajo continúa en segundo plano. Recibirás una notificación en cuanto la respuesta esté lista.',
  timeOver:
    'Se ha acabado el tiempo: la llamada se detuvo antes de terminar. No des por hecho que tuvo éxito y responde con lo que ya sabes.',
  denied: 'Esta llamada no fue autorizada y no se ha realizado. No vuelvas a pedirla tal cual.',
  expired:
    'Nadie autorizó esta llamada a tiempo: no se ha realizado. Dilo en tu respuesta si tiene importancia.',
  comment: (words) => `Comentario de la persona: «${words}»`,
  declined: 'La persona no ha querido responder. Sigue sin ello, o di qué falta.',
  unanswered:
    'No llegó ninguna respuesta a tiempo, lo que cuenta como rechazo. Sigue sin ella, y dilo si importa.',
  identical:
    'Esta llamada ya se ha hecho dos veces con los mismos argumentos. Se rechaza: usa los resultados que tienes o cambia los argumentos.',
  refused:
    'Este turno ha leído textos de fuera y la empresa no permite esta llamada en ese caso: no se ha realizado. Di a la persona qué no has hecho; puede pedirlo en un mensaje nuevo.',
  brokenArguments: 'Los argumentos no son un objeto JSON. Repite la llamada con un JSON válido.',
  cutArguments:
    'Los argumentos quedaron cortados en el límite de longitud de una respuesta: la llamada no se ha realizado. Pide menos cada vez, por ejemplo en varias llamadas más cortas.',
  answerNow:
    'Responde ahora a la pregunta con todo lo anterior. Ya no hay herramientas disponibles: no llames a ninguna y di con franqueza lo que falta.',
  answerInJson: (schema) =>
    `Cuando des la respuesta, será un único objeto JSON, sin nada antes ni después, conforme a este JSON Schema:\n${schema}`,
  answerMisfits: (faults) =>
    `Tu respuesta no tiene la forma pedida: ${faults}. Dala de nuevo, entera y corregida, y nada más.`,
  left: (steps, seconds) => `Quedan ${steps} paso(s) y ${seconds} s.`,
  inBackground: 'La petición se atiende en segundo plano: nadie espera delante de la pantalla.',
  synthesize:
    'Pasa a redactar la respuesta. Elígela en cuanto sepas lo suficiente o cuando ninguna herramienta pueda aportar más.',
  synthesizeReason: 'Por qué ya se puede redactar la respuesta, en una frase.',
  continueInBackground:
    'Continúa el trabajo en segundo plano; la persona recibirá una notificación. Elígela cuando hagan falta claramente más pasos o más tiempo de los que quedan.',
  continueReason: 'Por qué hace falta más tiempo, en una frase que la persona pueda leer.',
  goesOnInBackground:
    'Hecho: el trabajo continúa en segundo plano y la persona lo sabe. Sigue ahora con las herramientas.',
  elementsLeftOut: (left, all) => `… ${left} de ${all} elementos omitidos por falta de espacio`,
  fieldsLeftOut: (names) => `omitido por falta de espacio: ${names}`,
  textLeftOut: (left, all) => `[… unos ${left} de ${all} tokens omitidos por falta de espacio]`,
};

const zhHant: PlanLabels = {
  movedToBackground: '這項工作需要的時間比預期長，會在背景繼續進行。回答準備好時，系統會發通知給您。',
  timeOver: '時間已到，這次呼叫在完成之前就停止了。不要當作已經成功，請用目前已知的內容回答。',
  denied: '這次呼叫未獲允許，沒有執行。不要原樣再次要求。',
  expired: '沒有人在期限內允許這次呼叫，因此沒有執行。如果有影響，請在回答中說明。',
  comment: (words) => `對方的說明：「${words}」`,
  declined: '對方不願回答。請在沒有答案的情況下繼續，或說明缺少什麼。',
  unanswered: '沒有及時得到回答，視為拒絕。請繼續，若有影響請說明。',
  identical: '同樣的呼叫、同樣的參數已經執行過兩次，這次拒絕執行。請使用已有的結果，或更換參數。',
  refused:
    '這一輪讀過外部文字，公司不允許此時執行這次呼叫，因此沒有執行。請告訴使用者哪件事沒有做，對方可以在新的訊息中提出。',
  brokenArguments: '參數不是 JSON 物件。請用正確的 JSON 再呼叫一次。',
  cutArguments: '參數超出輸出長度上限而被截斷，這次呼叫沒有執行。請一次少要求一些，例如分成幾次較短的呼叫。',
  answerNow: '請根據以上所有內容，現在就回答問題。已經沒有可用的工具，不要再呼叫；缺少什麼就直接說明。',
  answerInJson: (schema) =>
    `給出回答時，只寫一個 JSON 物件，前後不加任何文字，並符合以下 JSON Schema：\n${schema}`,
  answerMisfits: (faults) =>
    `你的回答不符合要求的格式：${faults}。請重新給出完整、修正後的回答，不要加其他內容。`,
  left: (steps, seconds) => `還剩 ${steps} 個步驟、${seconds} 秒。`,
  inBackground: '這項工作正在背景進行，對方並沒有在螢幕前等待。',
  synthesize: '開始撰寫回答。已經知道得夠多，或沒有工具能提供更多資料時，就選這一項。',
  synthesizeReason: '用一句話說明為什麼現在可以撰寫回答。',
  continueInBackground: '在背景繼續工作，完成後會通知對方。需要的步驟或時間明顯比剩下的多時，才選這一項。',
  continueReason: '用一句對方看得懂的話說明為什麼需要更多時間。',
  goesOnInBackground: '已經改在背景進行，對方也已得知。請接著使用工具繼續工作。',
  elementsLeftOut: (left, all) => `……因篇幅所限，省略了 ${all} 項中的 ${left} 項`,
  fieldsLeftOut: (names) => `因篇幅所限，省略了：${names}`,
  textLeftOut: (left, all) => `［……因篇幅所限，省略了約 ${left} 個詞元，全文共 ${all} 個］`,
};

/** The labels for a BCP 47 tag, by its language alone; English for a language that has none. */
export const planLabelsFor = inLanguage<PlanLabels>({ fr, en, es, zh: zhHant });
