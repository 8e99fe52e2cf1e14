pytest_plugins = ["pytester", "deadweight_testing.pytest_plugin"]
