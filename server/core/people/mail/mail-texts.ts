import { isolate } from '@svc/kit/email'

/** Texts of the mails about an account. */
export interface AccountTexts {
  greeting (name: string): string
  fallback: string
  invitation: { subject: (clinic: string) => string, lead: (clinic: string) => string, button: string }
  /** To the holder of an account. */
  membership: { subject: (clinic: string) => string, lead: (clinic: string) => string, button: string }
  password_reset: LinkTexts
  /** To a person whose week for a second factor has passed. */
  enrolment: LinkTexts
}
interface LinkTexts { subject: string, lead: string, button: string, otherwise: string }

const en: AccountTexts = {
  greeting: name => `Hello ${name},`,
  fallback: 'If the button doesn’t work, copy this address into your browser:',
  invitation: {
    subject: clinic => `Your account at ${clinic}`,
    lead: clinic => `${clinic} created an account for you. Choose a password within seven days:`,
    button: 'Choose a password'
  },
  membership: {
    subject: clinic => `${clinic} invites you`,
    lead: clinic => `${clinic} invites you to join its team. Accept or decline within seven days:`,
    button: 'Answer the invitation'
  },
  password_reset: {
    subject: 'Choose a new password',
    lead: 'Someone requested a new password for your account. Choose one within an hour:',
    button: 'Choose a new password',
    otherwise: 'If it wasn’t you, ignore this message.'
  },
  enrolment: {
    subject: 'Set up your second factor',
    lead: 'Your clinic requires a second factor. Open this link within an hour, in the browser where you are signed in:',
    button: 'Set up a second factor',
    otherwise: 'If it wasn’t you, choose a new password at once: someone knows yours.'
  }
}

const es: AccountTexts = {
  greeting: name => `Hola, ${name}:`,
  fallback: 'Si el botón no funciona, copie esta dirección en su navegador:',
  invitation: {
    subject: clinic => `Su cuenta en ${clinic}`,
    lead: clinic => `${clinic} ha creado una cuenta para usted. Elija una contraseña en los próximos siete días:`,
    button: 'Elegir una contraseña'
  },
  membership: {
    subject: clinic => `${clinic} le invita`,
    lead: clinic =>
      `${clinic} le invita a unirse a su equipo. Acepte o rechace la invitación en los próximos siete días:`,
    button: 'Responder a la invitación'
  },
  password_reset: {
    subject: 'Elija una nueva contraseña',
    lead: 'Alguien ha pedido una nueva contraseña para su cuenta. Elija una en la próxima hora:',
    button: 'Elegir una nueva contraseña',
    otherwise: 'Si no ha sido usted, ignore este mensaje.'
  },
  enrolment: {
    subject: 'Configure su segundo factor',
    lead: 'Su clínica exige un segundo factor. Abra este enlace en la próxima hora, en el navegador donde ha iniciado sesión:',
    button: 'Configurar un segundo factor',
    otherwise: 'Si no ha sido usted, elija enseguida una nueva contraseña: alguien conoce la suya.'
  }
}

const fr: AccountTexts = {
  greeting: name => `Bonjour ${name},`,
  fallback: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur\u00A0:',
  invitation: {
    subject: clinic => `Votre compte chez ${clinic}`,
    lead: clinic => `${clinic} a créé un compte pour vous. Choisissez un mot de passe dans les sept jours\u00A0:`,
    button: 'Choisir un mot de passe'
  },
  membership: {
    subject: clinic => `${clinic} vous invite`,
    lead: clinic =>
      `${clinic} vous invite à rejoindre son équipe. Acceptez ou refusez l’invitation dans les sept jours\u00A0:`,
    button: 'Répondre à l’invitation'
  },
  password_reset: {
    subject: 'Choisissez un nouveau mot de passe',
    lead: 'Quelqu’un a demandé un nouveau mot de passe pour votre compte. Choisissez-en un dans l’heure\u00A0:',
    button: 'Choisir un nouveau mot de passe',
    otherwise: 'Si ce n’était pas vous, ignorez ce message.'
  },
  enrolment: {
    subject: 'Configurez votre second facteur',
    lead: 'Votre cabinet exige un second facteur. Ouvrez ce lien dans l’heure, dans le navigateur où votre session est ouverte\u00A0:',
    button: 'Configurer un second facteur',
    otherwise: 'Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe\u00A0: quelqu’un connaît le vôtre.'
  }
}

const de: AccountTexts = {
  greeting: name => `Guten Tag, ${name}.`,
  fallback: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
  invitation: {
    subject: clinic => `Ihr Konto bei ${clinic}`,
    lead: clinic => `${clinic} hat ein Konto für Sie angelegt. Wählen Sie innerhalb von sieben Tagen ein Passwort:`,
    button: 'Passwort wählen'
  },
  membership: {
    subject: clinic => `${clinic} lädt Sie ein`,
    lead: clinic =>
      `${clinic} lädt Sie ein, dem Team beizutreten. Nehmen Sie die Einladung innerhalb von sieben Tagen an oder lehnen Sie sie ab:`,
    button: 'Einladung beantworten'
  },
  password_reset: {
    subject: 'Wählen Sie ein neues Passwort',
    lead: 'Jemand hat ein neues Passwort für Ihr Konto angefordert. Wählen Sie innerhalb einer Stunde eines:',
    button: 'Neues Passwort wählen',
    otherwise: 'Wenn Sie das nicht waren, ignorieren Sie diese Nachricht.'
  },
  enrolment: {
    subject: 'Richten Sie Ihren zweiten Faktor ein',
    lead: 'Ihre Praxis verlangt einen zweiten Faktor. Öffnen Sie diesen Link innerhalb einer Stunde in dem Browser, in dem Sie angemeldet sind:',
    button: 'Zweiten Faktor einrichten',
    otherwise: 'Wenn Sie das nicht waren, wählen Sie sofort ein neues Passwort: Jemand kennt Ihres.'
  }
}

const pt: AccountTexts = {
  greeting: name => `Olá, ${name}.`,
  fallback: 'Se o botão não funcionar, copie este endereço para o seu navegador:',
  invitation: {
    subject: clinic => `A sua conta em ${clinic}`,
    lead: clinic => `${clinic} criou uma conta para si. Escolha uma palavra-passe nos próximos sete dias:`,
    button: 'Escolher uma palavra-passe'
  },
  membership: {
    subject: clinic => `Convite de ${clinic}`,
    lead: clinic =>
      `${clinic} enviou-lhe um convite para integrar a equipa. Aceite ou recuse o convite nos próximos sete dias:`,
    button: 'Responder ao convite'
  },
  password_reset: {
    subject: 'Escolha uma nova palavra-passe',
    lead: 'Alguém pediu uma nova palavra-passe para a sua conta. Escolha uma na próxima hora:',
    button: 'Escolher uma nova palavra-passe',
    otherwise: 'Se não fez este pedido, ignore esta mensagem.'
  },
  enrolment: {
    subject: 'Configure o seu segundo fator',
    lead: 'A sua clínica exige um segundo fator. Abra este link na próxima hora, no navegador onde iniciou sessão:',
    button: 'Configurar um segundo fator',
    otherwise: 'Se não foi você, escolha já uma nova palavra-passe: alguém conhece a sua.'
  }
}

const ar: AccountTexts = {
  greeting: name => `مرحبًا ${isolate(name)}،`,
  fallback: 'إذا لم يعمل الزر فانسخوا هذا العنوان إلى متصفحكم:',
  invitation: {
    subject: clinic => `حسابكم لدى ${isolate(clinic)}`,
    lead: clinic => `أنشأت عيادة ${isolate(clinic)} حسابًا لكم. اختاروا كلمة مرور خلال سبعة أيام:`,
    button: 'اختيار كلمة مرور'
  },
  membership: {
    subject: clinic => `دعوة من ${isolate(clinic)}`,
    lead: clinic => `تدعوكم عيادة ${isolate(clinic)} إلى الانضمام إلى فريقها. اقبلوا الدعوة أو ارفضوها خلال سبعة أيام:`,
    button: 'الرد على الدعوة'
  },
  password_reset: {
    subject: 'اختاروا كلمة مرور جديدة',
    lead: 'طلب أحدهم كلمة مرور جديدة لحسابكم. اختاروا واحدة خلال ساعة:',
    button: 'اختيار كلمة مرور جديدة',
    otherwise: 'إذا لم تكونوا أنتم من طلبها فتجاهلوا هذه الرسالة.'
  },
  enrolment: {
    subject: 'إعداد عامل التحقق الثاني',
    lead: 'تشترط عيادتكم عامل تحقق ثانيًا. افتحوا هذا الرابط خلال ساعة في المتصفح الذي سجلتم الدخول فيه:',
    button: 'إعداد عامل تحقق ثانٍ',
    otherwise: 'إذا لم تكونوا أنتم من طلبه فاختاروا كلمة مرور جديدة فورًا: هناك من يعرف كلمة مروركم.'
  }
}

const languages: Record<string, AccountTexts> = { en, es, fr, de, pt, ar }

/** English for unsupported languages. */
export const accountTexts = (locale: string): AccountTexts => languages[locale.split('-')[0]!] ?? en
