"""Values without a floor below: messages, domains, parameters, dates."""
