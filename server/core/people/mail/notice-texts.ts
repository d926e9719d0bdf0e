import { isolate } from '@svc/kit/email'

/** An event in an account, of which its holder is notified, in case another person caused it. */
export type Notice
  = | 'password_changed' | 'factor_added' | 'factor_removed' | 'recovery_codes_renewed'
    | 'membership_changed' | 'membership_ended'

/** Texts about a membership contain the clinic's name. */
type NoticeText = (clinic: string) => { subject: string, lead: string }
interface NoticeTexts {
  notices: Record<Notice, NoticeText>
  button: string
  otherwise: string
  /** Removed by a link in the mail about a new factor. */
  removal: { button: string, otherwise: string }
}

const en: NoticeTexts = {
  notices: {
    password_changed: () => ({ subject: 'Your password was changed', lead: 'The password of your account was changed. Your other sessions have ended.' }),
    factor_added: () => ({ subject: 'A second factor was added', lead: 'An authenticator app or a passkey was added to your account.' }),
    factor_removed: () => ({ subject: 'A second factor was removed', lead: 'An authenticator app or a passkey was removed from your account.' }),
    recovery_codes_renewed: () => ({
      subject: 'Your recovery codes were renewed',
      lead: 'New recovery codes were made for your account. The earlier ones no longer work.'
    }),
    membership_changed: clinic => ({ subject: `Your access to ${clinic} changed`, lead: `${clinic} changed what you can do there.` }),
    membership_ended: clinic => ({ subject: `Your access to ${clinic} ended`, lead: `${clinic} deactivated your access.` })
  },
  button: 'Open my account',
  otherwise: 'If you didn’t expect this, choose a new password at once, then contact an administrator of your clinic.',
  removal: {
    button: 'Remove it and sign out everywhere',
    otherwise: 'If it wasn’t you, remove it within seven days with the button. That signs out everyone who uses your account.'
  }
}

const es: NoticeTexts = {
  notices: {
    password_changed: () => ({ subject: 'Su contraseña ha cambiado', lead: 'Se ha cambiado la contraseña de su cuenta. Sus demás sesiones han terminado.' }),
    factor_added: () => ({ subject: 'Se ha añadido un segundo factor', lead: 'Se ha añadido a su cuenta una aplicación de autenticación o una llave de acceso.' }),
    factor_removed: () => ({ subject: 'Se ha quitado un segundo factor', lead: 'Se ha quitado de su cuenta una aplicación de autenticación o una llave de acceso.' }),
    recovery_codes_renewed: () => ({
      subject: 'Sus códigos de recuperación se han renovado',
      lead: 'Se han creado nuevos códigos de recuperación para su cuenta. Los anteriores ya no funcionan.'
    }),
    membership_changed: clinic => ({ subject: `Su acceso a ${clinic} ha cambiado`, lead: `${clinic} ha cambiado lo que usted puede hacer allí.` }),
    membership_ended: clinic => ({ subject: `Su acceso a ${clinic} ha terminado`, lead: `${clinic} ha desactivado su acceso.` })
  },
  button: 'Abrir mi cuenta',
  otherwise: 'Si no lo esperaba, elija enseguida una nueva contraseña y avise a un administrador de su clínica.',
  removal: {
    button: 'Quitarlo y cerrar todas las sesiones',
    otherwise: 'Si no ha sido usted, quítelo con el botón en los próximos siete días. Así se cierran todas las sesiones de su cuenta.'
  }
}

const fr: NoticeTexts = {
  notices: {
    password_changed: () => ({ subject: 'Votre mot de passe a changé', lead: 'Le mot de passe de votre compte a été modifié. Vos autres sessions sont terminées.' }),
    factor_added: () => ({ subject: 'Un second facteur a été ajouté', lead: 'Une application d’authentification ou une clé d’accès a été ajoutée à votre compte.' }),
    factor_removed: () => ({ subject: 'Un second facteur a été supprimé', lead: 'Une application d’authentification ou une clé d’accès a été supprimée de votre compte.' }),
    recovery_codes_renewed: () => ({
      subject: 'Vos codes de secours ont été renouvelés',
      lead: 'De nouveaux codes de secours ont été créés pour votre compte. Les précédents ne fonctionnent plus.'
    }),
    membership_changed: clinic => ({ subject: `Votre accès à ${clinic} a changé`, lead: `${clinic} a modifié ce que vous pouvez y faire.` }),
    membership_ended: clinic => ({ subject: `Votre accès à ${clinic} a pris fin`, lead: `${clinic} a désactivé votre accès.` })
  },
  button: 'Ouvrir mon compte',
  otherwise: 'Si vous ne vous y attendiez pas, choisissez tout de suite un nouveau mot de passe et prévenez un administrateur de votre cabinet.',
  removal: {
    button: 'Le supprimer et fermer toutes les sessions',
    otherwise: 'Si ce n’était pas vous, supprimez-le dans les sept jours avec le bouton. Toutes les sessions de votre compte seront alors fermées.'
  }
}

const de: NoticeTexts = {
  notices: {
    password_changed: () => ({ subject: 'Ihr Passwort wurde geändert', lead: 'Das Passwort Ihres Kontos wurde geändert. Ihre anderen Sitzungen sind beendet.' }),
    factor_added: () => ({ subject: 'Ein zweiter Faktor wurde hinzugefügt', lead: 'Eine Authenticator-App oder ein Passkey wurde Ihrem Konto hinzugefügt.' }),
    factor_removed: () => ({ subject: 'Ein zweiter Faktor wurde entfernt', lead: 'Eine Authenticator-App oder ein Passkey wurde aus Ihrem Konto entfernt.' }),
    recovery_codes_renewed: () => ({
      subject: 'Ihre Wiederherstellungscodes wurden erneuert',
      lead: 'Für Ihr Konto wurden neue Wiederherstellungscodes erstellt. Die früheren funktionieren nicht mehr.'
    }),
    membership_changed: clinic => ({ subject: `Ihr Zugang zu ${clinic} wurde geändert`, lead: `${clinic} hat geändert, was Sie dort tun können.` }),
    membership_ended: clinic => ({ subject: `Ihr Zugang zu ${clinic} ist beendet`, lead: `${clinic} hat Ihren Zugang deaktiviert.` })
  },
  button: 'Mein Konto öffnen',
  otherwise: 'Wenn Sie das nicht erwartet haben, wählen Sie sofort ein neues Passwort und verständigen Sie die Verwaltung Ihrer Praxis.',
  removal: {
    button: 'Entfernen und überall abmelden',
    otherwise: 'Wenn Sie das nicht waren, entfernen Sie ihn innerhalb von sieben Tagen mit der Schaltfläche. Das beendet alle Sitzungen Ihres Kontos.'
  }
}

const pt: NoticeTexts = {
  notices: {
    password_changed: () => ({ subject: 'A sua palavra-passe foi alterada', lead: 'A palavra-passe da sua conta foi alterada. As suas outras sessões terminaram.' }),
    factor_added: () => ({ subject: 'Foi adicionado um segundo fator', lead: 'Foi adicionada à sua conta uma aplicação de autenticação ou uma chave de acesso.' }),
    factor_removed: () => ({ subject: 'Foi removido um segundo fator', lead: 'Foi removida da sua conta uma aplicação de autenticação ou uma chave de acesso.' }),
    recovery_codes_renewed: () => ({
      subject: 'Os seus códigos de recuperação foram renovados',
      lead: 'Foram criados novos códigos de recuperação para a sua conta. Os anteriores deixaram de funcionar.'
    }),
    membership_changed: clinic => ({ subject: `O seu acesso a ${clinic} foi alterado`, lead: `${clinic} alterou o que pode fazer lá.` }),
    membership_ended: clinic => ({ subject: `O seu acesso a ${clinic} terminou`, lead: `${clinic} desativou o seu acesso.` })
  },
  button: 'Abrir a minha conta',
  otherwise: 'Se não esperava isto, escolha já uma nova palavra-passe e avise um administrador da sua clínica.',
  removal: {
    button: 'Remover e terminar todas as sessões',
    otherwise: 'Se não foi você, remova-o com o botão nos próximos sete dias. Isso termina todas as sessões da sua conta.'
  }
}

const ar: NoticeTexts = {
  notices: {
    password_changed: () => ({ subject: 'تم تغيير كلمة المرور', lead: 'تم تغيير كلمة مرور حسابكم، وانتهت جلساتكم الأخرى.' }),
    factor_added: () => ({ subject: 'تمت إضافة عامل تحقق ثانٍ', lead: 'أُضيف إلى حسابكم تطبيق مصادقة أو مفتاح مرور.' }),
    factor_removed: () => ({ subject: 'تمت إزالة عامل تحقق ثانٍ', lead: 'أُزيل من حسابكم تطبيق مصادقة أو مفتاح مرور.' }),
    recovery_codes_renewed: () => ({
      subject: 'تم تجديد رموز الاسترداد',
      lead: 'أُنشئت رموز استرداد جديدة لحسابكم، ولم تعد الرموز السابقة صالحة.'
    }),
    membership_changed: clinic => ({
      subject: `تغيّرت صلاحياتكم لدى ${isolate(clinic)}`,
      lead: `غيّرت عيادة ${isolate(clinic)} ما يمكنكم فعله لديها.`
    }),
    membership_ended: clinic => ({ subject: `عُطّل حسابكم لدى ${isolate(clinic)}`, lead: `عُطّل حسابكم لدى ${isolate(clinic)}.` })
  },
  button: 'فتح حسابي',
  otherwise: 'إذا لم تتوقعوا ذلك فاختاروا كلمة مرور جديدة فورًا وأبلغوا مسؤولًا في عيادتكم.',
  removal: {
    button: 'إزالته وتسجيل الخروج من كل مكان',
    otherwise: 'إذا لم تكونوا أنتم من أضافه فأزيلوه بالزر خلال سبعة أيام. يؤدي ذلك إلى إنهاء جميع جلسات حسابكم.'
  }
}

const languages: Record<string, NoticeTexts> = { en, es, fr, de, pt, ar }

/** English for unsupported languages. */
export const noticeTexts = (locale: string): NoticeTexts => languages[locale.split('-')[0]!] ?? en
