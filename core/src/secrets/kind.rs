//! The kinds of secrets.

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $kind:ident = $name:literal, $title:literal;)*) => {
        /// The kinds of secrets.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum SecretKind {
            $($(#[doc = $doc])* $kind,)*
        }

        impl SecretKind {
            /// Every kind.
            pub const ALL: &[SecretKind] = &[$(SecretKind::$kind,)*];

            /// The name in reports and settings, such as `github-token`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(SecretKind::$kind => $name,)*
                }
            }

            /// Its description with an article, such as `a GitHub token`.
            #[must_use]
            pub fn title(self) -> &'static str {
                match self {
                    $(SecretKind::$kind => $title,)*
                }
            }
        }
    };
}

kinds! {
    /// A key of Anthropic, `sk-ant-`.
    AnthropicKey = "anthropic-key", "an Anthropic API key";
    /// A key of OpenAI or of a service with keys of its form, `sk-`.
    OpenAiKey = "openai-key", "an OpenAI-style API key";
    /// A token of GitHub, `ghp_` and its siblings.
    GitHubToken = "github-token", "a GitHub token";
    /// A token of GitLab, `glpat-`.
    GitLabToken = "gitlab-token", "a GitLab token";
    /// An access key id of AWS.
    AwsKey = "aws-key", "an AWS access key id";
    /// A key of Google, `AIza`.
    GoogleKey = "google-key", "a Google API key";
    /// A token of Slack, `xoxb-` and its siblings.
    SlackToken = "slack-token", "a Slack token";
    /// A live key of Stripe.
    StripeKey = "stripe-key", "a Stripe live key";
    /// A token of npm.
    NpmToken = "npm-token", "an npm token";
    /// A token of Hugging Face.
    HuggingFaceToken = "hugging-face-token", "a Hugging Face token";
    /// A JSON Web Token.
    Jwt = "jwt", "a JSON Web Token";
    /// What follows `Bearer` or `Basic` in a header.
    Authorization = "authorization", "credentials in an authorization header";
    /// A private key in PEM.
    PrivateKey = "private-key", "a private key";
    /// A value assigned to a name such as `password` or `api_key`.
    Password = "password", "a password or key";
    /// The password in a URL.
    UrlPassword = "url-password", "a password in a URL";
    /// An e-mail address.
    Email = "email", "an e-mail address";
    /// A phone number in international form.
    Phone = "phone", "a phone number";
    /// An IPv4 address that is not private.
    IpAddress = "ip-address", "an IP address";
}

impl SecretKind {
    /// The kinds that are searched for by default: all but phone numbers and IP addresses,
    /// which harmless figures resemble.
    pub const DEFAULT: &[SecretKind] = &[
        SecretKind::AnthropicKey,
        SecretKind::OpenAiKey,
        SecretKind::GitHubToken,
        SecretKind::GitLabToken,
        SecretKind::AwsKey,
        SecretKind::GoogleKey,
        SecretKind::SlackToken,
        SecretKind::StripeKey,
        SecretKind::NpmToken,
        SecretKind::HuggingFaceToken,
        SecretKind::Jwt,
        SecretKind::Authorization,
        SecretKind::PrivateKey,
        SecretKind::Password,
        SecretKind::UrlPassword,
        SecretKind::Email,
    ];

    /// The kind of that name.
    ///
    /// ```
    /// use transcript_core::secrets::SecretKind;
    /// assert_eq!(SecretKind::new("email"), Some(SecretKind::Email));
    /// ```
    #[must_use]
    pub fn new(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// The word in placeholders: `secret`, `email`, `phone` or `ip`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            SecretKind::Email => "email",
            SecretKind::Phone => "phone",
            SecretKind::IpAddress => "ip",
            _ => "secret",
        }
    }
}
