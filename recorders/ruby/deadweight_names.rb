# frozen_string_literal: true

module Deadweight
  # Names and values that a dump lacks: instance variables, members, constants and globals. The methods are taken from
  # where Ruby defines them, for a class may define others of the same name.
  class Names
    CLASS = Kernel.instance_method(:class)
    VARIABLES = Kernel.instance_method(:instance_variables)
    VALUE = Kernel.instance_method(:instance_variable_get)
    TO_A = Struct.instance_method(:to_a)
    MEMBERS = Struct.instance_method(:members)
    CONSTANTS = Module.instance_method(:constants)
    AUTOLOAD = Module.instance_method(:autoload?)
    CONSTANT = Module.instance_method(:const_get)
    CLASS_VARIABLES = Module.instance_method(:class_variables)
    CLASS_VARIABLE = Module.instance_method(:class_variable_get)
    DATA = defined?(::Data) && ::Data.respond_to?(:define) ? ::Data : nil
    DATA_TO_H = DATA&.instance_method(:to_h)
    NAME = Module.instance_method(:name)

    # Stands for the table of global variables.
    GLOBALS = 1

    attr_reader :groups

    def initialize
      @groups = []
      @by_class = {}.compare_by_identity
      @lists = {}
      @count = 0
    end

    # Calls `append` with a list of words for each owner; gives the number of owners.
    def each(append, globals)
      ObjectSpace.each_object do |object|
        case object
        when String, Array, Hash then next
        when Module then constants(object, append)
        when Struct then members(object, append)
        else
          DATA && object.is_a?(DATA) ? data(object, append) : variables(object, append)
        end
      rescue NoMethodError, TypeError
        # An object without any methods, or one that is not yet whole.
        variables(object, append)
      end
      globals(append, globals)
      @count
    end

    private

    def variables(object, append)
      names = VARIABLES.bind_call(object)
      return if names.empty?

      words = [Fiddle.dlwrap(object), group(CLASS.bind_call(object), names)]
      names.each { |name| words << Fiddle.dlwrap(VALUE.bind_call(object, name)) }
      finish(words, append)
    end

    def members(object, append)
      of_class = @by_class[CLASS.bind_call(object)] ||= {}
      id = of_class[:members] ||= add(MEMBERS.bind_call(object))
      words = [Fiddle.dlwrap(object), id]
      TO_A.bind_call(object).each { |value| words << Fiddle.dlwrap(value) }
      finish(words, append)
    end

    def data(object, append)
      values = DATA_TO_H.bind_call(object)
      words = [Fiddle.dlwrap(object), group(CLASS.bind_call(object), values.keys)]
      values.each_value { |value| words << Fiddle.dlwrap(value) }
      finish(words, append)
    end

    # Of constants, class variables and variables of the class those that hold data.
    def constants(owner, append)
      found = {}
      CONSTANTS.bind_call(owner, false).each do |name|
        next if AUTOLOAD.bind_call(owner, name, false)

        keep(found, name) { CONSTANT.bind_call(owner, name, false) }
      end
      VARIABLES.bind_call(owner).each { |name| keep(found, name) { VALUE.bind_call(owner, name) } }
      CLASS_VARIABLES.bind_call(owner, false).each { |name| keep(found, name) { CLASS_VARIABLE.bind_call(owner, name) } }
      own(Fiddle.dlwrap(owner), found, append)
    end

    def globals(append, before)
      found = {}
      (global_variables - before).grep(/\A\$[A-Za-z_]\w*\z/).each do |name|
        keep(found, name) { TOPLEVEL_BINDING.eval(name.to_s) }
      end
      own(GLOBALS, found, append)
    end

    def keep(found, name)
      value = yield
      word = Fiddle.dlwrap(value)
      found[name] = word if (word & 7).zero? && !value.is_a?(Module)
    rescue StandardError, LoadError
      nil
    end

    def own(owner, found, append)
      return if found.empty?

      finish([owner, add(found.keys), *found.values], append)
    end

    def group(owner, names)
      of_class = @by_class[owner] ||= {}
      of_class[names] ||= add(names)
    end

    def add(names)
      @lists[names] ||= begin
        @groups << names.map(&:to_s)
        @groups.size - 1
      end
    end

    def finish(words, append)
      @count += 1
      append.call(words)
    end
  end
end
