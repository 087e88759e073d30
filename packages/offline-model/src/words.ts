export const languages = ['fr', 'en', 'es', 'zh'] as const;
export type Language = (typeof languages)[number];

/**
 * Filler words, which do not change a request: articles, prepositions, pronouns, greetings, verbs of asking and having.
 * Words that invert or limit a sentence (not, if, but, or, without, instead, more, less) are left out on purpose, so
 * that a message with one of them is not understood. The same holds for references (this, it, then, also).
 */
export const glue: Readonly<Record<Language, string>> = {
  fr: `le la les l un une des du de d au aux à en dans sur pour par avec et que qu quel quelle quels quelles est sont combien
    mon ma mes notre nos votre vos je j nous on vous tu moi me te m t toi ton ta tes y ai avons as avez a s il elle chaque
    peux peut pouvez pourrais pourriez veux voulons voudrais souhaite souhaitons aimerais besoin svp plaît bonjour bonsoir
    salut merci madame monsieur donne donner donnez dis dire dites fais faire faites montre montrez`,
  en: `the a an of in on at for by from with to and what which is are was were how much many my our your i we you me us do does
    did can could would will please like want need give show tell let make get hello hi hey thanks thank have has had here
    there that s ll d per each every`,
  es: `el la los las un una unos unas de del al a en para por con y e que qué cuál cuáles cuánto cuánta cuántos cuántas es son
    era fue mi mis nuestro nuestra nuestros nuestras su sus yo nos nosotros usted me te le puedes puede podría quiero
    queremos quisiera necesito necesitamos favor hola buenos buenas días tardes gracias da dame dime deme dígame haz hacer
    haga muestra muéstrame hay tiene tenemos tengo cada`,
  zh: `的 是 多少 請 請問 在 於 我 我的 我們 我們的 你 你的 您 您的 和 與 及 跟 以及 有 有哪些 哪些 什麼 為 了 共 一下 幫 幫我 給 給我
    告訴 告訴我 想 想要 要 需要 可以 能 嗎 你好 您好 謝謝 對 把 將 關於 會 該 這裡 每`,
};

/** Words that do not change a request but may be the subject of a question: possession and use. */
export const neutral = `entreprise société consomme consommons consommé consommation utilise utilisons utilisé prépare préparer
  rédige rédiger écris écrire company business use used uses using consume consumed consumption emit emits emitted prepare
  write draft empresa consume consumimos consumo usamos uso prepara preparar prepare redacta redactar redacte
  用 用了 使用 使用了 消耗 消耗了 公司 我們公司 撰寫 準備 製作`;

/** Question words, which a passage with the answer does not contain. */
export const asking = `who whom whose when where why how did does qui quand où pourquoi comment quién quiénes cuándo dónde
  cómo 誰 何時 哪 哪裡 哪個 如何 怎麼 為何 為什麼 幾 年 間 由 say says said dit disent dice dicen selon according según 寫 說 根據`;

/** Conjunctions. */
export const joining = 'et and y e 和 與 及 跟 以及';

/** What may precede a request. Verbs only in the form of a request. */
export const polite = `s il vous te plaît svp peux peut tu pouvez pourrais pourriez merci bonjour bonsoir salut que qu de me m moi
  please can could will would you me to what do hello hi hey the
  por favor puedes puede podría qué me hola buenos días tardes 請 請問 請你 你 您 幫 幫我 可以 能 你好 您好`;

/** Words that put a verb into the past: such a sentence is no request. */
export const past = 'ai as a avons avez ont have has had he ha hemos han 已經 過';

/** Words that introduce a text, as in "remember that …". */
export const leading = `que qu that de d of about on sur sobre acerca como à for pour para por the me moi tu toi t te you vous
  le la les l el la los las 關於 一下 我 我的 我們的 你`;

/** References to earlier messages. */
export const pointing = `ça cela ceci ce celui celle le la les lui tout this that it these those them him her all everything
  esto eso ello lo esta este todo 這 這個 那 那個 它 全部`;

/** Things that are measured, in the order of the languages below. */
export const things = `
  electricity power | électricité courant | electricidad luz | 電 電力 用電
  diesel | gazole gasoil | gasóleo diésel | 柴油
  petrol gasoline | essence | gasolina | 汽油
  natural_gas | gaz_naturel | gas_natural | 天然氣
  train rail | train | tren | 火車
  flight | avion vol | avión vuelo | 飛機 航班
  bus | bus autobus | autobús | 巴士 公車
`;

/**
 * Translations of words in skills and schemas, which are in English: everyday office words, one concept per line, in
 * the order English, French, Spanish, Chinese. Unknown words are reported as not understood. An underscore stands for a
 * blank.
 */
export const thesaurus = `${things}
  calculate compute score assess assessment | calcule calculer calculez estime estimer évalue évaluer évaluation | calcula calcular calcule estima evalúa evaluación | 計算 算 評估
  footprint emission emissions | empreinte bilan émission émissions | huella emisión emisiones | 足跡 排放 排放量 盤查
  carbon co2 co2e | carbone CO2 GES gaz_à_effet_de_serre | carbono CO2 | 碳 二氧化碳 溫室氣體
  score rating | score note notation | puntuación nota | 評分 分數
  report | rapport bilan | informe reporte | 報告 報告書
  generate create write draft make produce | génère générer crée créer rédige rédiger écris écrire produis prépare préparer fais faire | genera generar crea crear redacta redactar elabora prepara escribe haz | 產生 製作 撰寫 寫 生成
  find search look retrieve | trouve trouver cherche chercher recherche rechercher | busca buscar búsqueda encuentra encontrar | 找 尋找 搜尋 查詢 查 查找
  read | lis lire lisez | lee leer | 讀 閱讀 讀取
  webpage page_website | page_web site_web | página_web sitio_web | 網頁 網站
  web internet | web internet | web internet | 網路 網上
  get give show | donne donner montre montrer affiche afficher | muestra muéstrame da dame | 顯示 給我看
  remember | retiens retenez retenir noter notez souviens souvenez mémorise | recuerda recuerde anota anotar apunta | 記住 記下 記得 記錄
  recall know known | rappelle rappelez sais savez connais souviens souvenez | sabes sabe conoces recuerdas recuerda | 知道 記得 回想
  forget erase delete | oublie oubliez oublier efface effacer supprime | olvida olvidar olvide borra borrar | 忘記 忘掉 刪除
  company business | entreprise société | empresa compañía | 公司 企業
  profile | profil fiche | perfil ficha | 簡介 資料 檔案
  update change | mets_à_jour mettre_à_jour modifie actualise | actualiza actualizar | 更新
  document documents | document | documento | 文件
  analyze analyse summarize summary | analyse analyser résume résumer résumé | analiza analizar resume resumen | 分析 摘要 總結
  financing finance funding money | financement finance fonds | financiación financiamiento fondos | 融資 資金 金融
  green climate | vert verte climat climatique | verde clima climático | 綠色 綠 氣候
  project | projet | proyecto | 專案 項目 計畫
  loan | prêt crédit emprunt | préstamo crédito | 貸款
  grant subsidy | subvention aide don | subvención ayuda | 補助 補助金
  tonne ton | tonne | tonelada | 公噸 噸
  kwh | kilowattheure | kilovatio_hora | 度 千瓦時
  employee people staff | salarié employé personne | empleado trabajador persona | 員工 人 名員工
  load | charge charger | carga cargar | 載入 載
  skill | compétence habileté | habilidad | 技能
`;
