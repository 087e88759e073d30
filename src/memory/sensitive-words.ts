/** Special categories of personal data, as in GDPR article 9, and criminal convictions (article 10). */
export const sensitiveTopics = [
  'HEALTH',
  'RELIGION',
  'POLITICS',
  'ORIENTATION',
  'UNION',
  'CRIME',
  'ETHNICITY',
] as const;
export type SensitiveTopic = (typeof sensitiveTopics)[number];

/** `*` matches any ending, `_` a space. Left out: words that are also names, or mostly mean something else. */
export const words: Readonly<Record<SensitiveTopic, string>> = {
  HEALTH: `diabet* cancer* tumeur* tumor* vih hiv seropositi* le_sida el_sida tiene_sida malade malades maladie*
    depression depressi* depresion bipola* schizophren* esquizofren* autis* asthm* asma asmatic* epilep* enceinte
    fausse_couche ivg avortement* hospitalis* hospitaliz* chimiotherap* chemotherap* quimioterap* dialys* dialisis
    burn-out burnout handicap* allergi* alergi* alcooli* alcoholi* toxicoman* suicid* anorexi* boulimi* bulimi*
    antidepress* antidepresiv* psychiatr* psiquiatr* psychotherap* psicoterap* arret_maladie conge_maladie sick_leave
    baja_medica pregnan* miscarriage abortion aborto embarazad* disability disabilities discapac* is_sick illness*
    disease* surgery therapist mental_health sante_mentale salud_mental enfermo enferma enfermedad* infarctus
    heart_attack infarto avc parkinson* alzheimer* dementia demence`,
  RELIGION: `musulman* muslim* islamist* chretien chretienne chretiens a_christian is_christian es_cristian* catholi*
    catolic* protestant* evangeli* juif juifs juive* jewish judio* judia* bouddhist* buddhist* budist* hindu* hindou*
    athee* atheist* es_ateo es_atea temoin*_de_jehovah testigo*_de_jehova jehovah's_witness* mormon* ramadan
    convert_to converti_a converti_au convertie_a religion religieu* religious religios*`,
  POLITICS: `vote_pour vote_a_gauche vote_a_droite votes_for voted_for voto_a vota_a vota_por est_de_gauche
    est_de_droite es_de_izquierda* es_de_derecha* left-wing right-wing militant* militante* membre_du_parti
    adherent*_du_parti party_member afiliado_al_partido afiliada_al_partido opinion*_politique* political_opinion*
    political_view* opinion*_politica* communist* communiste* comunista* socialist* socialista* republican
    is_a_democrat`,
  ORIENTATION: `homosexu* gay gays lesbien* lesbian* lesbiana* bisexu* transgenre* transgender* transgenero*
    transsexu* transexual* queer orientation_sexuelle sexual_orientation orientacion_sexual`,
  UNION: `syndique* syndiquee* delegue*_syndical* cgt cfdt adherent*_au_syndicat adherent*_d'un_syndicat
    membre_d'un_syndicat membre_du_syndicat union_member* union_rep trade_union* labor_union* labour_union* unionized
    unionised sindicalista* sindicad* delegado_sindical delegada_sindical afiliado_al_sindicato
    afiliada_al_sindicato`,
  CRIME: `casier_judiciaire condamne condamnee condamnation* en_prison incarcer* garde_a_vue mis_en_examen
    mise_en_examen detenu detenue criminal_record convicted conviction* felon* in_prison in_jail jailed arrested
    antecedentes_penales condenado* condenada* condena en_prision encarcelad* en_la_carcel en_libertad_condicional`,
  ETHNICITY: `ethni* etnia* etnic* d'origine_arabe d'origine_africaine d'origine_maghrebine d'origine_asiatique
    d'origine_juive d'origine_rom of_african_descent of_arab_descent of_asian_descent of_jewish_descent
    african_descent asian_descent de_origen_arabe de_origen_africano de_origen_africana de_origen_gitano
    de_origen_gitana gitan gitane* gitano* gitana*`,
};

/** Chinese words, which match anywhere because nothing separates words. */
export const chineseWords: Readonly<Record<SensitiveTopic, string>> = {
  HEALTH:
    '糖尿病 癌 腫瘤 懷孕 怀孕 憂鬱症 抑鬱 抑郁 愛滋 艾滋 生病 病假 住院 開刀 手術 手术 殘障 残疾 身心障礙 過敏 过敏 化療 化疗 流產 流产 墮胎 精神病 躁鬱 自閉症 自闭症 癲癇 氣喘 洗腎 失智 中風',
  RELIGION:
    '穆斯林 回教徒 伊斯蘭教徒 基督徒 基督教徒 天主教徒 佛教徒 猶太教 犹太教 摩門教 無神論 无神论 信教 信仰',
  POLITICS: '投票給 投给 投給 政治立場 政治立场 政治傾向 黨員 党员 共產黨 支持民進黨 支持國民黨',
  ORIENTATION: '同性戀 同性恋 雙性戀 双性恋 跨性別 跨性别 出櫃 出柜 性向 性取向',
  UNION: '工會會員 工會成員 工會幹部 工会会员 加入工會 加入工会 參加工會',
  CRIME: '前科 坐牢 入獄 入狱 被捕 被判刑 定罪 犯罪紀錄 犯罪記錄 犯罪记录 通緝',
  ETHNICITY: '種族 种族 民族 族裔 原住民 血統 血统 族人',
};

/** Words for people close to the member: a note that begins with one is about that person. Folded, as `words`. */
export const relations = `mere pere maman papa parents epouse epoux mari femme compagn* conjoint* copain copine fils fille
  enfant* frere* soeur* cousin* oncle tante grand-mere grand-pere belle-mere beau-pere belle-soeur beau-frere ami amie
  amis collegue* chef cheffe patron patronne client cliente voisin* mother father mum mom dad wife husband spouse
  partner boyfriend girlfriend son daughter child children kid kids brother* sister* uncle* aunt* grandmother
  grandfather friend* colleague* coworker* co-worker* boss manager neighbour* neighbor* madre padre mama esposo esposa
  marido mujer pareja novio novia hijo* hija* hermano* hermana* tio tia abuelo* abuela* amigo* amiga* colega* companer*
  jefe jefa vecino* vecina*`;

export const chineseRelations =
  '媽媽 妈妈 母親 母亲 爸爸 父親 父亲 先生 太太 老公 老婆 丈夫 妻子 男友 女友 兒子 儿子 女兒 女儿 孩子 哥哥 弟弟 姐姐 姊姊 妹妹 朋友 同事 老闆 老板 主管 上司 客戶 客户 鄰居 邻居 阿姨 叔叔 奶奶 爺爺 爷爷';
